import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import { contentTextOf } from '../../work/tools/toolOutput';
import { contentText } from '../contentText';
import type { RecordDraft } from '../../text/record';
import type { TextChunk } from '../textChunks';
import { TextChunks } from '../textChunks';
import type { AcpSessions } from './session';
import { keyOf } from './session';
import type { AcpWriter } from './writer';
import { replayed } from './writer';

export type Speaker = 'agent' | 'user' | 'thought';

/** Reads messages, which come in chunks, whole, or both. */
export class Messages {
  private readonly chunks: TextChunks;

  constructor(
    earlier: (draft: RecordDraft) => void,
    private readonly out: AcpWriter,
    private readonly sessions: AcpSessions,
  ) {
    this.chunks = new TextChunks(earlier);
  }

  quiet(t: number): void {
    this.chunks.quiet(t);
  }

  get isWaiting(): boolean {
    return this.chunks.isWaiting;
  }

  /** Completes the session's message because something else happens. */
  interrupt(sessionId: string | undefined): void {
    if (sessionId !== undefined) this.chunks.complete(sessionId);
  }

  interruptAll(): void {
    this.chunks.completeAll();
  }

  /** Adds a chunk of any text. */
  add(chunk: Omit<TextChunk, 'receivedAt' | 'raw'>): void {
    const { isMinor = false, lead = '' } = chunk;
    const { event, isReplay } = this.out;
    this.chunks.add({
      ...chunk,
      receivedAt: event.t,
      raw: event.line,
      isMinor: isMinor || isReplay,
      lead: isReplay ? replayed(lead) : lead,
    });
  }

  chunk(sessionId: string, speaker: Speaker, update: JsonObject): void {
    const messageId = textOf(update['messageId']);
    const { content } = update;
    const text = contentText(content);
    const isEcho = this.isEcho(sessionId, speaker, messageId);
    if (messageId !== undefined) {
      const { lengths } = this.sessions.thingsOf(sessionId);
      const key = keyOf(messageId);
      lengths.set(key, (lengths.get(key) ?? 0) + text.length);
    }
    this.add({ sessionId, speaker, messageId, text, isMinor: isEcho });
    // Nothing else may come for a while, and the echo belongs before it.
    if (isEcho) this.chunks.complete(sessionId);
    const said = this.said(sessionId, speaker, content);
    // Without the capability for notices, agents send warnings as chat messages.
    if (said !== undefined && /^\W{0,4}warning\b/i.test(said)) {
      this.out.fact(sessionId, { type: 'notice', about: 'any', text: said });
    }
  }

  /** Repeats at debug level what was already shown, as chunks or as the prompt. */
  whole(sessionId: string, speaker: Speaker, update: JsonObject): void {
    const messageId = textOf(update['messageId']);
    const content = arrayOf(update['content']);
    const text = content.map((block) => contentText(block)).join('');
    const isKnown = this.sessions.thingsOf(sessionId).lengths.get(keyOf(messageId ?? '')) === text.length;
    const isEcho = this.isEcho(sessionId, speaker, messageId);
    const message = text.trim();
    const isMinor = isKnown || isEcho || message === '' || speaker === 'thought';
    const level = isMinor ? 'debug' : 'info';
    this.out.record(sessionId, { level, logger: speaker, message: message || '(empty)' });
    this.said(sessionId, speaker, update['content']);
  }

  /** Whether the message is a prompt that the agent repeats. */
  private isEcho(sessionId: string, speaker: Speaker, messageId: string | undefined): boolean {
    if (speaker === 'thought') return false;
    const { prompts } = this.sessions.of(sessionId);
    if (speaker === 'agent') prompts.begun(false);
    return speaker === 'user' && !this.out.isReplay && prompts.isEcho(messageId);
  }

  /** Returns the text, if the agent said it. */
  private said(sessionId: string, speaker: Speaker, content: unknown): string | undefined {
    if (speaker === 'thought') this.out.fact(sessionId, { type: 'progress' });
    if (speaker !== 'agent') return undefined;
    // Chunks keep the white space at their ends, which separates words and paragraphs.
    const text = textOf(objectOf(content)['text']) ?? contentTextOf(isObject(content) ? [content] : content) ?? '';
    this.out.fact(sessionId, { type: 'message', speaker, text, isPartial: false });
    // An image or a link counts as output, too.
    if (objectOf(content)['type'] !== 'text' && !Array.isArray(content)) {
      this.out.fact(sessionId, { type: 'progress' });
    }
    return text;
  }
}
