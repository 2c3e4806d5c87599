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

/** State of a stream that later events refer to. */
export interface StreamState {
  readonly tools: ToolCalls;
  /** Messages that arrive in chunks. */
  readonly messages: TextChunks;
  /** Chunks of messages that are repeated complete afterwards. */
  readonly partials: TextChunks;
  /** Agent timestamps of each session's last chunk, in milliseconds since the epoch, if given. */
  readonly pieceTimes: Map<string, number>;
  /** Open control requests. */
  readonly requests: Requests;
  /** Open questions to the user, by the ID of the waiting tool call. */
  readonly questions: BoundedMap<string, ActivityDraft<PermissionFact>>;
  readonly titled: Set<string>;
  /** Tracks whether the agent was asked to stop its turn. */
  readonly interrupts: Interrupts;
  readonly turns: StreamTurns;
  /** The error reported in this turn; the result may not repeat it (Gemini). */
  reportedError: string | undefined;
  /** Usage of the turn's steps so far, for agents that only report it per step (OpenCode). */
  usage: Usage | undefined;
  /** Output tokens of the latest model request, if the agent counts each; 0 for the agent's own texts. */
  answerTokens: number | undefined;
  /** Total cost of each session so far, in US dollars. */
  readonly costs: BoundedMap<string | undefined, number>;
  /** True if the agent has said something since the last turn ended. */
  hasSpoken: boolean;
  /** True if a client writes to the agent, so that the session outlasts the turn. */
  hasInput: boolean;
}

/** The event being read. */
export interface StreamEvent {
  readonly event: WireMessage;
  readonly receivedAt: number;
  readonly time: number | undefined;
  readonly line: string;
  readonly sessionId: string | undefined;
  /** True if it was sent to the agent. */
  readonly isInput: boolean;
}

/** The outcome of a tool call, for its fact. */
export type ToolResult = Pick<ToolFact, 'outcome' | 'exitCode' | 'error' | 'output' | 'isInterrupted'>;

export type WriterSink = Pick<InterpreterSink, 'record' | 'session' | 'request' | 'fact'>;

/** Longer lines are kept only with their first record, in characters: a message may have hundreds of parts. */
const maxShared = 16_384;
const maxModel = 100;

/** Writes the records and facts of one event to the sink, with its session, time and line. */
export class EventWriter {
  private isFirst = true;

  constructor(
    readonly event: StreamEvent,
    readonly state: StreamState,
    private readonly sink: WriterSink,
  ) {}

  /** Writes a record. Its size is bounded. */
  tell(text: EventText): void {
    const { receivedAt, sessionId, line } = this.event;
    const { level, kind = 'activity', time = this.event.time, logger, message, data } = text;
    // Completes chunked messages, so that records stay in order.
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

  /** Writes a fact that isn't part of the turn's work. */
  fact(activity: ActivityDraft): void {
    const { event, sessionId } = this.event;
    this.sink.fact?.({ ...activity, event, sessionId });
  }

  /** Writes a fact about the turn's work. @param mayComeBefore true if it can precede the start of the turn */
  work(activity: ActivityDraft, { mayComeBefore = false } = {}): void {
    if (this.event.isInput) return;
    this.state.turns.works(this.event, mayComeBefore ? undefined : true);
    this.fact(activity);
  }

  /** See `StreamTurns`. */
  beginTurn(isNew: boolean, hasTurn = true): void {
    if (!this.event.isInput) this.state.turns.begins(this.event, isNew, hasTurn);
  }

  /** Called when the conversation restarts, usually in another session; the prompt continues there. */
  resetTurn(): void {
    if (!this.event.isInput) this.state.turns.works(this.event, false);
  }

  endTurn(end: StreamTurnEnd): void {
    if (!this.event.isInput) this.state.turns.ends(this.event, end);
  }

  /** Writes the fact of a message. */
  says(speaker: MessageFact['speaker'], text: unknown, isPartial = false): void {
    this.work({ type: 'message', speaker, text: typeof text === 'string' ? text : '', isPartial });
  }

  /** Reports the model that the session uses from here on. */
  uses(model: unknown): void {
    if (typeof model === 'string') this.fact({ type: 'model', to: ownHead(model, maxModel), isFallback: false });
  }

  /** Reports the start of a tool call. @param parentId the call that it is part of, such as a subagent's */
  toolStarted(id: string | undefined, name: string, input: unknown, parentId?: string): void {
    const { sessionId, time: startedAt } = this.event;
    const title = toolTitle(name, input);
    if (id === undefined) this.work({ type: 'progress' });
    else {
      const called = { name, command: commandOf(input) };
      this.state.tools.begin(id, { title, sessionId, startedAt }, called);
      this.work({
        type: 'tool',
        change: 'running',
        id: activityId(id),
        parentId: activityId(parentId),
        title,
        ...called,
      });
    }
    this.tell(toolStarted(name, input));
  }

  /** Reports the end of a tool call, which is only identified by its ID. */
  toolEnded(id: string | undefined, result: ToolResult, outcome: Pick<ToolOutcome, 'exitCode' | 'output'>): void {
    const { tools } = this.state;
    const call = id === undefined ? undefined : tools.end(id);
    const called = id === undefined ? undefined : tools.called(id);
    this.work({ type: 'tool', change: 'ended', id: activityId(id), ...called, ...result });
    const title = call?.title ?? id ?? 'a tool';
    const failed = result.outcome === 'failed';
    this.tell(toolEnded({ title, failed, ms: tookOf(call, this.event.time), ...outcome }));
  }

  /** Reports that the agent repeats its prompt. */
  repeatsPrompt(text: unknown): void {
    if (this.event.isInput || typeof text !== 'string') return;
    this.fact({ type: 'message', speaker: 'user', text, isPartial: false });
  }

  /** Writes the record of a message. Empty texts are skipped. */
  speech(speaker: 'agent' | 'subagent' | 'thought' | 'prompt', text: unknown): void {
    if (typeof text !== 'string' || text.trim() === '') return;
    this.state.hasSpoken ||= speaker === 'agent';
    this.tell({ level: speaker === 'thought' ? 'debug' : 'info', logger: speaker, message: text });
  }

  /** Adds a chunk of an agent message. `partial`: the complete message follows. */
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
    // Set afterwards, because the chunk may complete another message.
    if (time !== undefined) this.state.pieceTimes.set(sessionId, time);
  }

  /** Sets the session title from the first user prompt, or from a summary. */
  title(text: unknown, { isBetter = false } = {}): void {
    const { sessionId } = this.event;
    if (sessionId === undefined || typeof text !== 'string' || text.trim() === '') return;
    if (this.state.titled.has(sessionId) && !isBetter) return;
    this.state.titled.add(sessionId);
    this.sink.session({ type: 'titled', sessionId, title: oneLine(text, 200) });
  }

  /** Reports a request by the agent or its client. */
  open(id: RequestId, method: string, noted?: unknown): void {
    const { receivedAt: startedAt, sessionId, isInput } = this.event;
    const direction = isInput ? 'out' : 'in';
    const request = { id, method, direction, startedAt, noted, ...(sessionId !== undefined && { sessionId }) } as const;
    const displaced = this.state.requests.add(request);
    if (displaced) this.sink.request({ type: 'closed', request: displaced });
    this.sink.request({ type: 'opened', request });
  }

  /** Closes the request that this event answers or withdraws. */
  close(id: RequestId, { takenBack = false } = {}): OpenRequest | undefined {
    // Only the sender can withdraw a request, so the direction is the opposite of a response's.
    const answers = this.event.isInput !== takenBack ? 'c2a' : 'a2c';
    const request = this.state.requests.answer(answers, id, this.event.receivedAt);
    if (request) this.sink.request({ type: 'closed', request });
    return request;
  }

  /** Reports that the session continues, even if it had ended: a file may contain several runs of it. */
  goOn(): void {
    const { sessionId, receivedAt } = this.event;
    if (sessionId !== undefined) this.sink.session({ type: 'resumed', sessionId, at: receivedAt });
  }

  end(): void {
    const { sessionId, receivedAt } = this.event;
    if (sessionId !== undefined) this.sink.session({ type: 'ended', sessionId, at: receivedAt });
  }
}

/** Converts an ID for facts. */
export function activityId(id: string | undefined): string | undefined {
  return id === undefined ? undefined : ownHead(id, maxActivityId);
}
