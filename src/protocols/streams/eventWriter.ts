import { oneLine } from '../../log/text';
import { boundedData } from '../boundedData';
import { boundedText } from '../boundedText';
import type { InterpreterSink } from '../interpreter';
import type { TextChunks } from '../acp/textChunks';
import type { RequestId } from '../json';
import type { OpenRequest, Requests } from '../jsonrpc/requests';
import type { EventText } from './eventText';
import type { Interrupts } from './interrupts';
import type { ToolCalls } from './toolCalls';

/** What a stream has told so far, as far as its later events refer to it. */
export interface StreamState {
  readonly tools: ToolCalls;
  /** Messages that come in pieces. */
  readonly messages: TextChunks;
  /** Pieces of messages that come whole afterwards. */
  readonly partials: TextChunks;
  /** When the last piece of a session's message was sent, in milliseconds since the epoch, where it says so. */
  readonly pieceTimes: Map<string, number>;
  /** Questions of the control protocol that wait for their answers. */
  readonly requests: Requests;
  readonly titled: Set<string>;
  /** Whether the agent was asked to stop its turn. */
  readonly interrupts: Interrupts;
  /** Whether the agent has said something since the last turn ended. */
  hasSpoken: boolean;
  /** Whether somebody writes to the agent, so that the end of a turn is not the end of the session. */
  hasInput: boolean;
}

/** The event that is being read. */
export interface StreamEvent {
  readonly receivedAt: number;
  readonly time: number | undefined;
  readonly line: string;
  readonly sessionId: string | undefined;
  /** Whether it was written to the agent. */
  readonly isInput: boolean;
}

/** A longer line is kept with the first of its records only, in characters: a message may have hundreds of parts. */
const maxShared = 16_384;

/** Writes what one event says into the sink: records of its session, with its time and its line. */
export class EventWriter {
  private isFirst = true;

  constructor(
    readonly event: StreamEvent,
    readonly state: StreamState,
    private readonly sink: InterpreterSink,
  ) {}

  /** A record. However long its parts are, what is kept is bounded. */
  tell(text: EventText): void {
    const { receivedAt, sessionId, line } = this.event;
    const { level, kind = 'activity', time = this.event.time, logger, message, data } = text;
    // What came in pieces has ended, and records stay in order.
    this.state.messages.complete(sessionId ?? '');
    this.state.partials.complete(sessionId ?? '');
    this.sink.record({
      receivedAt,
      ...(time !== undefined && { time }),
      level,
      kind,
      ...(sessionId !== undefined && { sessionId }),
      ...(logger !== undefined && { logger: oneLine(logger, 100) }),
      message: boundedText(message),
      ...(data !== undefined && { data: boundedData(data) }),
      ...((this.isFirst || line.length <= maxShared) && { raw: line }),
    });
    this.isFirst = false;
  }

  /** What the agent says, or thinks. Nothing is told of an empty text. */
  speech(speaker: 'agent' | 'subagent' | 'thought' | 'prompt', text: unknown): void {
    if (typeof text !== 'string' || text.trim() === '') return;
    this.state.hasSpoken ||= speaker === 'agent';
    this.tell({ level: speaker === 'thought' ? 'debug' : 'info', logger: speaker, message: text });
  }

  /** A piece of what the agent says: joined with the others. `partial`: the whole of it comes once more afterwards. */
  piece(
    speaker: string,
    messageId: string | undefined,
    text: unknown,
    { partial }: { readonly partial: boolean },
  ): void {
    if (typeof text !== 'string' || text === '') return;
    const { receivedAt, time, line, sessionId = '' } = this.event;
    this.state.hasSpoken ||= !partial;
    const chunk = { sessionId, speaker, messageId, text, receivedAt, raw: line };
    (partial ? this.state.partials : this.state.messages).add(chunk);
    // Afterwards, since the piece may be the end of another message.
    if (time !== undefined) this.state.pieceTimes.set(sessionId, time);
  }

  /** The first thing that the person asked for, or a summary, names the session. */
  title(text: unknown, { isBetter = false } = {}): void {
    const { sessionId } = this.event;
    if (sessionId === undefined || typeof text !== 'string' || text.trim() === '') return;
    if (this.state.titled.has(sessionId) && !isBetter) return;
    this.state.titled.add(sessionId);
    this.sink.session({ type: 'titled', sessionId, title: oneLine(text, 200) });
  }

  /** A question was asked: by the agent, or by whoever writes to it. */
  open(id: RequestId, method: string): void {
    const { receivedAt: startedAt, sessionId, isInput } = this.event;
    const direction = isInput ? 'out' : 'in';
    const request = { id, method, direction, startedAt, ...(sessionId !== undefined && { sessionId }) } as const;
    const displaced = this.state.requests.add(request);
    if (displaced) this.sink.request({ type: 'closed', request: displaced });
    this.sink.request({ type: 'opened', request });
  }

  /** The question that this event answers, or takes back, is settled. */
  close(id: RequestId, { takenBack = false } = {}): OpenRequest | undefined {
    // Whoever takes back is who asked: the other way round than an answer.
    const answers = this.event.isInput !== takenBack ? 'c2a' : 'a2c';
    const request = this.state.requests.answer(answers, id, this.event.receivedAt);
    if (request) this.sink.request({ type: 'closed', request });
    return request;
  }

  /** The session goes on, also where it had ended: a file may have several runs of it. */
  goOn(): void {
    const { sessionId, receivedAt } = this.event;
    if (sessionId !== undefined) this.sink.session({ type: 'resumed', sessionId, at: receivedAt });
  }

  end(): void {
    const { sessionId, receivedAt } = this.event;
    if (sessionId !== undefined) this.sink.session({ type: 'ended', sessionId, at: receivedAt });
  }
}
