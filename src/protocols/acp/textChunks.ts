import type { RecordDraft } from '../../log/record';
import { cut } from '../../log/text';

/** One piece of a message that comes in pieces. */
export interface TextChunk {
  readonly sessionId: string;
  /** Who speaks: `agent`, `user`, `thought`. */
  readonly speaker: string;
  readonly messageId: string | undefined;
  readonly text: string;
  readonly receivedAt: number;
  readonly raw: string;
  /** Shown before, or history. */
  readonly isMinor?: boolean;
  /** Put in front of the whole message. */
  readonly lead?: string;
}

interface Message {
  readonly first: TextChunk;
  text: string;
  raw: string;
  receivedAt: number;
  chars: number;
}

/** How much of a message is kept unless said otherwise, in characters; the wire has all of it. */
const defaultMaxText = 16_384;

/** A message that pauses for longer is shown as far as it came, in milliseconds. */
const maxPause = 2000;

/** Whose words are no part of the conversation. */
const aside = new Set(['thought', 'terminal']);

/** Joins the chunks of one message into one record, which is complete when something else comes. */
export class TextChunks {
  private readonly open = new Map<string, Message>();

  /**
   * @param emit takes each message when it is complete
   * @param maxText how much of a message is kept, in characters
   */
  constructor(
    private readonly emit: (draft: RecordDraft) => void,
    private readonly maxText = defaultMaxText,
  ) {}

  add(chunk: TextChunk): void {
    const message = this.open.get(chunk.sessionId);
    if (message && sameMessage(message.first, chunk) && Math.abs(chunk.receivedAt - message.receivedAt) <= maxPause) {
      message.chars += chunk.text.length;
      message.receivedAt = chunk.receivedAt;
      if (message.text.length <= this.maxText) message.text += chunk.text;
      if (message.raw.length <= this.maxText) message.raw += `\n${chunk.raw}`;
      return;
    }
    this.complete(chunk.sessionId);
    const { text, raw, receivedAt } = chunk;
    this.open.set(chunk.sessionId, { first: chunk, text, raw, receivedAt, chars: text.length });
  }

  /** The session's message has ended, if there is one. */
  complete(sessionId: string): void {
    const message = this.open.get(sessionId);
    if (!message) return;
    this.open.delete(sessionId);
    const { first, chars } = message;
    const text = `${first.lead ?? ''}${cut(message.text.trim(), this.maxText)}`;
    this.emit({
      receivedAt: message.receivedAt,
      level: first.isMinor === true || aside.has(first.speaker) ? 'debug' : 'info',
      kind: 'activity',
      sessionId,
      logger: first.speaker,
      message: chars > message.text.length ? `${text}… (${chars} characters in all)` : text,
      raw: message.raw,
    });
  }

  /** Whether a message may still grow. */
  get isWaiting(): boolean {
    return this.open.size > 0;
  }

  /** Nothing more has come until then: who pauses for long is not waited for. */
  quiet(t: number): void {
    if (this.open.size === 0) return;
    for (const [sessionId, message] of this.open) {
      // The clock may have been set back.
      if (Math.abs(t - message.receivedAt) > maxPause) this.complete(sessionId);
    }
  }

  completeAll(): void {
    for (const sessionId of [...this.open.keys()]) this.complete(sessionId);
  }
}

/** Chunks without a message id belong together while the same one speaks. */
function sameMessage(a: TextChunk, b: TextChunk): boolean {
  return a.speaker === b.speaker && a.messageId === b.messageId && a.isMinor === b.isMinor;
}
