import { oneLine } from '../../log/text';
import { ownHead } from '../../log/ownText';
import type { WireMessage } from '../../wire/wireEvent';
import type { ActivityDraft, MessageFact, PermissionFact, ToolFact, Usage } from '../activity/activity';
import { maxActivityId } from '../activity/activity';
import { commandOf } from '../activity/toolOutput';
import { boundedData } from '../boundedData';
import type { BoundedMap } from '../boundedMap';
import { boundedText } from '../boundedText';
import type { InterpreterSink } from '../interpreter';
import type { TextChunks } from '../acp/textChunks';
import type { RequestId } from '../json';
import type { OpenRequest, Requests } from '../jsonrpc/requests';
import type { EventText } from './eventText';
import type { Interrupts } from './interrupts';
import type { StreamTurnEnd, StreamTurns } from './streamTurns';
import type { ToolCalls } from './toolCalls';
import type { ToolOutcome } from './toolText';
import { toolEnded, toolStarted, toolTitle, tookOf } from './toolText';

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
  /** Open questions to the person, by the tool call that waits for them. */
  readonly questions: BoundedMap<string, ActivityDraft<PermissionFact>>;
  readonly titled: Set<string>;
  /** Whether the agent was asked to stop its turn. */
  readonly interrupts: Interrupts;
  readonly turns: StreamTurns;
  /** The error that the agent reported in this turn; its result may not repeat it (Gemini). */
  reportedError: string | undefined;
  /** Of the turn's steps so far, for an agent that only counts by step (OpenCode). */
  usage: Usage | undefined;
  /** Whether the agent has said something since the last turn ended. */
  hasSpoken: boolean;
  /** Whether a client writes to the agent, so that the end of a turn isn't the end of the session. */
  hasInput: boolean;
}

/** The event that is being read. */
export interface StreamEvent {
  readonly event: WireMessage;
  readonly receivedAt: number;
  readonly time: number | undefined;
  readonly line: string;
  readonly sessionId: string | undefined;
  /** Whether it was written to the agent. */
  readonly isInput: boolean;
}

/** What a tool's result says, for its fact. */
export type ToolResult = Pick<ToolFact, 'outcome' | 'exitCode' | 'error' | 'output' | 'isInterrupted'>;

export type WriterSink = Pick<InterpreterSink, 'record' | 'session' | 'request' | 'fact'>;

/** A longer line is kept with the first of its records only, in characters: a message may have hundreds of parts. */
const maxShared = 16_384;

/** Writes what one event says into the sink: records of its session, with its time and its line, and facts. */
export class EventWriter {
  private isFirst = true;

  constructor(
    readonly event: StreamEvent,
    readonly state: StreamState,
    private readonly sink: WriterSink,
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

  /** A fact that is no work of the turn. */
  fact(activity: ActivityDraft): void {
    const { event, sessionId } = this.event;
    this.sink.fact?.({ ...activity, event, sessionId });
  }

  /** A fact about the turn's work. @param mayComeBefore whether it can come before the turn begins */
  work(activity: ActivityDraft, { mayComeBefore = false } = {}): void {
    if (this.event.isInput) return;
    this.state.turns.works(this.event, mayComeBefore ? undefined : true);
    this.fact(activity);
  }

  /** See `StreamTurns`. */
  beginTurn(isNew: boolean, hasTurn = true): void {
    if (!this.event.isInput) this.state.turns.begins(this.event, isNew, hasTurn);
  }

  /** The conversation begins anew, usually in another session: what was asked for goes on there. */
  resetTurn(): void {
    if (!this.event.isInput) this.state.turns.works(this.event, false);
  }

  endTurn(end: StreamTurnEnd): void {
    if (!this.event.isInput) this.state.turns.ends(this.event, end);
  }

  /** The fact of a message. */
  says(speaker: MessageFact['speaker'], text: unknown, isPartial = false): void {
    this.work({ type: 'message', speaker, text: typeof text === 'string' ? text : '', isPartial });
  }

  /** A tool call began. */
  toolStarted(id: string | undefined, name: string, input: unknown): void {
    const { sessionId, time: startedAt } = this.event;
    const title = toolTitle(name, input);
    if (id === undefined) this.work({ type: 'progress' });
    else {
      const called = { name, command: commandOf(input) };
      this.state.tools.begin(id, { title, sessionId, startedAt }, called);
      this.work({ type: 'tool', change: 'running', id: activityId(id), title, ...called });
    }
    this.tell(toolStarted(name, input));
  }

  /** A tool call ended, of which only its id is repeated. */
  toolEnded(id: string | undefined, result: ToolResult, outcome: Pick<ToolOutcome, 'exitCode' | 'output'>): void {
    const { tools } = this.state;
    const call = id === undefined ? undefined : tools.end(id);
    const called = id === undefined ? undefined : tools.called(id);
    this.work({ type: 'tool', change: 'ended', id: activityId(id), ...called, ...result });
    const title = call?.title ?? id ?? 'a tool';
    const failed = result.outcome === 'failed';
    this.tell(toolEnded({ title, failed, ms: tookOf(call, this.event.time), ...outcome }));
  }

  /** The agent repeats what it was asked. */
  repeatsPrompt(text: unknown): void {
    if (this.event.isInput || typeof text !== 'string') return;
    this.fact({ type: 'message', speaker: 'user', text, isPartial: false });
  }

  /** The record of a message. An empty text makes none. */
  speech(speaker: 'agent' | 'subagent' | 'thought' | 'prompt', text: unknown): void {
    if (typeof text !== 'string' || text.trim() === '') return;
    this.state.hasSpoken ||= speaker === 'agent';
    this.tell({ level: speaker === 'thought' ? 'debug' : 'info', logger: speaker, message: text });
  }

  /** A piece of a message of the agent, to be joined with the others. `partial`: the whole message comes once more afterwards. */
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

  /** A question was asked, by the agent or its client. */
  open(id: RequestId, method: string, noted?: unknown): void {
    const { receivedAt: startedAt, sessionId, isInput } = this.event;
    const direction = isInput ? 'out' : 'in';
    const request = { id, method, direction, startedAt, noted, ...(sessionId !== undefined && { sessionId }) } as const;
    const displaced = this.state.requests.add(request);
    if (displaced) this.sink.request({ type: 'closed', request: displaced });
    this.sink.request({ type: 'opened', request });
  }

  /** The question that this event answers, or takes back, is settled. */
  close(id: RequestId, { takenBack = false } = {}): OpenRequest | undefined {
    // Only the side that asked can take a question back: the direction is the opposite of an answer's.
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

/** An id as facts have it. */
export function activityId(id: string | undefined): string | undefined {
  return id === undefined ? undefined : ownHead(id, maxActivityId);
}
