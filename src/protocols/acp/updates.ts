import { boundedJson } from '../../log/boundedJson';
import type { WireMessage } from '../../wire/wireEvent';
import type { Ended } from '../../work/step';
import { tellsOfFallback } from '../../work/troubleText';
import { BoundedMap } from '../../log/boundedMap';
import { contentText } from '../contentText';
import type { InterpreterSink } from '../interpreter';
import type { JsonObject } from '../../log/json';
import { isObject, textOf, arrayOf } from '../../log/json';
import type { Replays } from './replays';
import type { SessionChanges } from './sessionChanges';
import { sessionKey } from '../sessionIds';
import type { SubagentUpdates } from './subagentUpdates';
import { chunkSpeakerOf, describeUpdate, interruptsMessage, speakerOf, asVersion1 } from './sessionUpdate';
import type { TextChunk } from '../textChunks';
import { TextChunks } from '../textChunks';
import { ToolTitles } from './toolTitles';
import type { Turns } from './turns';
import { Terminals } from './terminals';
import type { AcpWriter } from './writer';
import { replayed } from './writer';

/** Dependencies for creating an update's records. */
export interface UpdateContext {
  readonly sink: InterpreterSink;
  readonly out: AcpWriter;
  readonly changes: SessionChanges;
  readonly replays: Replays;
  readonly turns: Turns;
  readonly subagents: SubagentUpdates;
  /** How the tool call ended, if the update says that it has. */
  readonly endOf: (sessionId: string | undefined, update: JsonObject) => Ended | undefined;
}

const maxCompactions = 200;
const maxFallbacks = 200;

/** Creates the records of `session/update`, in both versions. */
export class Updates {
  readonly tools = new ToolTitles();
  readonly terminals = new Terminals();
  private readonly chunks: TextChunks;
  private readonly messages = new WholeMessages();
  /** The latest status of each compaction: Claude sends `completed` twice. */
  private readonly compactions = new BoundedMap<string, unknown>(maxCompactions);
  /** The latest notice of each session about another model. */
  private readonly fallbacks = new BoundedMap<string, string>(maxFallbacks);

  constructor(private readonly context: UpdateContext) {
    this.chunks = new TextChunks((draft) => context.sink.record(draft));
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

  /** The name of background work in the agent's list. */
  readonly nameOfWork = (sessionId: string, item: JsonObject): string => {
    const terminalId = textOf(item['terminalId']);
    if (terminalId !== undefined) return this.terminals.commandOf(sessionId, terminalId) ?? 'a terminal';
    const title = this.tools.titleOf(sessionId, textOf(item['toolCallId']));
    return (
      title ?? textOf(item['title']) ?? textOf(item['description']) ?? textOf(item['type']) ?? boundedJson(item, 100)
    );
  };

  accept(event: WireMessage, sessionId: string | undefined, update: JsonObject): void {
    const { replays } = this.context;
    const kind = textOf(update['sessionUpdate']);
    if (sessionId !== undefined && replays.count(sessionId)) this.context.out.begin(event, true);
    if (sessionId === undefined) return this.describe(undefined, kind, update);
    const speaker = chunkSpeakerOf(kind);
    if (speaker !== undefined) return this.acceptChunk(event, sessionId, speaker, update);
    if (kind === 'terminal_output_chunk') {
      const text = this.terminals.output(sessionId, update);
      return this.add(event, { sessionId, speaker: 'terminal', messageId: textOf(update['terminalId']), text });
    }
    if (interruptsMessage(kind)) this.chunks.complete(sessionId);
    this.context.changes.update(sessionId, kind, update);
    if (kind === 'usage_update' && !this.context.out.isReplay) this.context.turns.used(sessionId, update);
    switch (kind) {
      case 'state_update':
        return this.context.turns.stateChanged(sessionId, update);
      case 'subagent_update':
        this.interrupt(textOf(update['sessionId']));
        return this.context.subagents.update(sessionId, update);
      case 'session_message':
        return this.context.subagents.message(sessionId, update);
      case 'session_message_chunk': {
        const lead = this.context.subagents.leadOf(sessionId, update);
        const chunk = { sessionId, speaker: 'message', messageId: textOf(update['messageId']), lead };
        return this.add(event, { ...chunk, text: contentText(update['content']), isMinor: lead.startsWith('to ') });
      }
      case 'compaction_summary_chunk': {
        const chunk = { sessionId, speaker: 'compaction', messageId: textOf(update['compactionId']) };
        return this.add(event, { ...chunk, text: contentText(update['content']) });
      }
      default:
        return this.describe(sessionId, kind, update);
    }
  }

  private describe(sessionId: string | undefined, kind: string | undefined, update: JsonObject): void {
    if (kind === 'replay_complete' && sessionId !== undefined) this.context.replays.completed(sessionId);
    if (kind === 'notice') return this.notice(sessionId, update);
    if (kind === 'terminal_update') return this.context.out.record(sessionId, this.terminals.update(sessionId, update));
    const speaker = speakerOf(kind);
    if (speaker !== undefined) return this.acceptWholeMessage(sessionId, speaker, update);
    const isNewCall = this.context.turns.isVersion2 && !this.tools.has(sessionId, update);
    const titled = this.tools.titled(sessionId, asVersion1(update, isNewCall));
    const end = this.context.out.isReplay ? undefined : this.context.endOf(sessionId, update);
    const text = describeUpdate(titled, end);
    const isOfChild = kind === 'config_option_update' && this.context.subagents.isChild(sessionId);
    const isMinor = isOfChild || (kind === 'compaction_update' && this.isRepeatedCompaction(sessionId, update));
    const { data } = text;
    this.context.out.record(sessionId, {
      ...text,
      ...(isMinor && { level: 'debug' as const }),
      ...(isObject(data) && { data: this.context.subagents.withShortIds(data) }),
    });
  }

  private notice(sessionId: string | undefined, update: JsonObject): void {
    const text = describeUpdate(update);
    const isRepeated = !this.context.out.isReplay && this.isRepeatedFallback(sessionId, text.message);
    const shown = isRepeated ? { ...text, level: 'debug' as const, message: `(again) ${text.message}` } : text;
    this.context.out.record(sessionId, shown);
  }

  /** Whether the session already reported this change of model: Codex repeats it in each turn. */
  private isRepeatedFallback(sessionId: string | undefined, message: string): boolean {
    if (sessionId === undefined || !tellsOfFallback(message)) return false;
    const isRepeated = this.fallbacks.get(sessionId) === message;
    this.fallbacks.set(sessionId, message);
    return isRepeated;
  }

  private isRepeatedCompaction(sessionId: string | undefined, { compactionId, status }: JsonObject): boolean {
    const key = sessionKey(sessionId, textOf(compactionId) ?? '');
    const isRepeated = this.compactions.has(key) && this.compactions.get(key) === status;
    this.compactions.set(key, textOf(status)?.slice(0, 40));
    return isRepeated;
  }

  private acceptChunk(event: WireMessage, sessionId: string, speaker: string, update: JsonObject): void {
    const messageId = textOf(update['messageId']);
    const text = contentText(update['content']);
    const isEcho =
      speaker === 'user' && !this.context.out.isReplay && this.context.turns.prompts.isEcho(sessionId, messageId);
    if (speaker === 'agent') this.context.turns.prompts.begun(sessionId, false);
    this.messages.chunk(sessionId, messageId, text);
    this.add(event, { sessionId, speaker, messageId, text, isMinor: isEcho });
    // Nothing else may come for a while, and the echo belongs before it.
    if (isEcho) this.chunks.complete(sessionId);
  }

  /** Repeats at debug level what was already shown, as chunks or as the prompt. */
  private acceptWholeMessage(sessionId: string | undefined, speaker: string, update: JsonObject): void {
    const { prompts } = this.context.turns;
    const { text, isKnown } = this.messages.whole(sessionId, update);
    const isEcho =
      speaker === 'user' &&
      sessionId !== undefined &&
      !this.context.out.isReplay &&
      prompts.isEcho(sessionId, textOf(update['messageId']));
    if (speaker === 'agent' && sessionId !== undefined) prompts.begun(sessionId, false);
    const message = text.trim();
    const isMinor = isKnown || isEcho || message === '' || speaker === 'thought';
    const level = isMinor ? 'debug' : 'info';
    this.context.out.record(sessionId, { level, logger: speaker, message: message || '(empty)' });
  }

  private add(event: WireMessage, chunk: Omit<TextChunk, 'receivedAt' | 'raw'>): void {
    const { isMinor = false, lead = '' } = chunk;
    this.chunks.add({
      ...chunk,
      receivedAt: event.t,
      raw: event.line,
      isMinor: isMinor || this.context.out.isReplay,
      lead: this.context.out.isReplay ? replayed(lead) : lead,
    });
  }
}

/** Maximum number of messages to remember. */
const maxMessages = 200;

/** Recognizes whole messages that already arrived in chunks. */
class WholeMessages {
  private readonly lengths = new BoundedMap<string, number>(maxMessages);

  /** Adds a chunk of a message. */
  chunk(sessionId: string, messageId: string | undefined, text: string): void {
    if (messageId === undefined) return;
    const key = sessionKey(sessionId, messageId);
    this.lengths.set(key, (this.lengths.get(key) ?? 0) + text.length);
  }

  /** Returns the message's text, and whether it is already known. */
  whole(sessionId: string | undefined, update: JsonObject): { readonly text: string; readonly isKnown: boolean } {
    const text = arrayOf(update['content'])
      .map((block) => contentText(block))
      .join('');
    const key = sessionKey(sessionId, textOf(update['messageId']) ?? '');
    return { text, isKnown: this.lengths.get(key) === text.length };
  }
}
