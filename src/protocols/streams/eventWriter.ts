import { oneLine } from '../../log/text';
import { ownHead } from '../../log/ownText';
import type { ActivityDraft, MessageFact, ToolFact } from '../../work/activity';
import { maxActivityId } from '../../work/activity';
import { boundedActivity } from '../../work/boundedActivity';
import { isWorded } from '../../work/toolWords';
import { commandOf } from '../../work/toolOutput';
import { boundedData, boundedText } from '../boundedData';
import type { InterpreterSink } from '../interpreter';
import type { RequestId } from '../../log/json';
import type { OpenRequest } from '../../work/requests';
import type { EventText } from './eventText';
import type { StreamState } from './streamState';
import type { StreamLine, StreamTurnEnd } from './streamTurns';
import type { ToolEndText } from './toolText';
import { toolEnded, toolStarted, toolTitle } from './toolText';

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
    readonly line: StreamLine,
    readonly state: StreamState,
    private readonly sink: WriterSink,
  ) {}

  /** True if the event was sent to the agent. */
  get isInput(): boolean {
    return this.line.event.dir === 'c2a';
  }

  /** Writes a record. Its size is bounded. */
  tell(text: EventText): void {
    const { event, sessionId } = this.line;
    const { level, kind = 'activity', time = this.line.time, logger, message, data } = text;
    // Completes chunked messages, so that records stay in order.
    this.state.messages.complete(sessionId ?? '');
    this.sink.record({
      receivedAt: event.t,
      ...(time !== undefined && { time }),
      level,
      kind,
      ...(sessionId !== undefined && { sessionId }),
      ...(logger !== undefined && { logger: oneLine(logger, 100) }),
      message: boundedText(message),
      ...(data !== undefined && { data: boundedData(data) }),
      ...((this.isFirst || event.line.length <= maxShared) && { raw: event.line }),
    });
    this.isFirst = false;
  }

  /** Writes a fact that isn't part of the turn's work. */
  fact(activity: ActivityDraft): void {
    const { event, sessionId } = this.line;
    const fact = boundedActivity({ ...activity, event, sessionId });
    if (isWorded(fact)) this.state.work.see(fact);
    this.sink.fact?.(fact);
  }

  /** Writes a fact about the turn's work. @param mayComeBefore true if it can precede the start of the turn */
  work(activity: ActivityDraft, { mayComeBefore = false } = {}): void {
    if (this.isInput) return;
    this.state.turns.works(this.line, mayComeBefore ? undefined : true);
    this.fact(activity);
  }

  /** See `StreamTurns`. */
  beginTurn(isNew: boolean, hasTurn = true): void {
    if (!this.isInput) this.state.turns.begins(this.line, isNew, hasTurn);
  }

  /** Called when the conversation restarts, usually in another session; the prompt continues there. */
  resetTurn(): void {
    if (!this.isInput) this.state.turns.works(this.line, false);
  }

  endTurn(end: StreamTurnEnd): void {
    if (!this.isInput) this.state.turns.ends(this.line, end);
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
    const title = toolTitle(name, input);
    if (id === undefined) this.work({ type: 'progress' });
    else this.tool({ change: 'running', id, parentId, title, name, command: commandOf(input) });
    this.tell(toolStarted(name, input));
  }

  /** Writes the fact of a tool call. */
  tool(about: Omit<ActivityDraft<ToolFact>, 'type' | 'time'>): void {
    this.work({ type: 'tool', time: this.line.time, ...about });
  }

  /** Reports the end of a tool call, which is only identified by its ID. */
  toolEnded(id: string | undefined, result: ToolResult, output: string): void {
    const title = this.state.work.tools.get(this.line.sessionId, id)?.title ?? id ?? 'a tool';
    this.endTool({ id, ...result }, { title, output });
  }

  /** Writes the fact and the record of the end of a tool call. */
  endTool(
    ended: Omit<ActivityDraft<ToolFact>, 'type' | 'change'>,
    text: Pick<ToolEndText, 'title' | 'status' | 'output'>,
  ): void {
    this.tool({ change: 'ended', ...ended });
    const [tool] = this.isInput ? [] : this.state.work.endedTools;
    const end = tool?.end ?? { outcome: ended.outcome === 'failed' ? 'error' : 'ok' };
    this.tell(toolEnded({ ...text, end, ms: tool?.took }));
  }

  /** Reports that the agent repeats its prompt. */
  repeatsPrompt(text: unknown): void {
    if (this.isInput || typeof text !== 'string') return;
    this.fact({ type: 'message', speaker: 'user', text, isPartial: false });
  }

  /** Writes the fact and the record of a message. */
  message(speaker: 'agent' | 'subagent' | 'thought', text: unknown): void {
    this.says(speaker, text);
    this.speech(speaker, text);
  }

  /** Writes the record of a message. Empty texts are skipped. */
  speech(speaker: 'agent' | 'subagent' | 'thought' | 'prompt', text: unknown): void {
    if (typeof text !== 'string' || text.trim() === '') return;
    this.state.hasSpoken ||= speaker === 'agent';
    this.tell({ level: speaker === 'thought' ? 'debug' : 'info', logger: speaker, message: text });
  }

  /** Adds a chunk of an agent message. `isPartial`: the complete message follows. */
  piece(speaker: string, messageId: string | undefined, text: unknown, isPartial: boolean): void {
    if (typeof text !== 'string' || text === '') return;
    const { event, time, sessionId = '' } = this.line;
    this.state.hasSpoken ||= !isPartial;
    const chunk = { sessionId, speaker, messageId, text, receivedAt: event.t, raw: event.line };
    this.state.messages.add({ ...chunk, isMinor: isPartial });
    // Set afterwards, because the chunk may complete another message.
    if (time !== undefined) this.state.pieceTimes.set(sessionId, time);
  }

  /** Sets the session title from the first user prompt, or from a summary. */
  title(text: unknown, { isBetter = false } = {}): void {
    const { sessionId } = this.line;
    if (sessionId === undefined || typeof text !== 'string' || text.trim() === '') return;
    if (this.state.titled.has(sessionId) && !isBetter) return;
    this.state.titled.add(sessionId);
    this.sink.session({ type: 'titled', sessionId, title: oneLine(text, 200) });
  }

  /** Reports a request by the agent or its client. */
  open(id: RequestId, method: string, noted?: unknown): void {
    const { event, sessionId } = this.line;
    const direction = this.isInput ? 'out' : 'in';
    const about = { id, method, direction, startedAt: event.t, noted } as const;
    const request = { ...about, ...(sessionId !== undefined && { sessionId }) };
    const displaced = this.state.requests.add(request);
    if (displaced) this.sink.request({ type: 'closed', request: displaced });
    this.sink.request({ type: 'opened', request });
  }

  /** Closes the request that this event answers or withdraws. */
  close(id: RequestId, { takenBack = false } = {}): OpenRequest | undefined {
    // Only the sender can withdraw a request, so the direction is the opposite of a response's.
    const answers = this.isInput !== takenBack ? 'c2a' : 'a2c';
    const request = this.state.requests.answer(answers, id, this.line.event.t);
    if (request) this.sink.request({ type: 'closed', request });
    return request;
  }

  /** Reports that the session continues, even if it had ended: a file may contain several runs of it. */
  goOn(): void {
    const { sessionId, event } = this.line;
    if (sessionId !== undefined) this.sink.session({ type: 'resumed', sessionId, at: event.t });
  }

  end(): void {
    const { sessionId, event } = this.line;
    if (sessionId !== undefined) this.sink.session({ type: 'ended', sessionId, at: event.t });
  }
}

/** Converts an ID for facts. */
export function activityId(id: string | undefined): string | undefined {
  return id === undefined ? undefined : ownHead(id, maxActivityId);
}
