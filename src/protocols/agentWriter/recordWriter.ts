import { BoundedMap } from '../../text/boundedMap';
import type { RequestId } from '../../text/json';
import type { RecordDraft } from '../../text/record';
import { markedId } from '../../text/sessionLabel';
import { cut, oneLine } from '../../text/text';
import type { WireMessage } from '../../wire/wireEvent';
import type { ActivityDraft, ActivityFact, PermissionFact, Usage } from '../../work/activity';
import type { OpenRequest } from '../../work/requests';
import { isOpen } from '../../work/tools/toolCall';
import type { Work, WorkEnd } from '../../work/work';
import { boundedData } from '../../text/cutJson';
import { boundedText, maxText } from '../boundedText';
import { Facts } from '../facts';
import { SessionIds } from '../sessionIds';
import { recordEarlier } from '../interpreter';
import type { ChunkSpeaker } from '../textChunks';
import { TextChunks } from '../textChunks';
import { askedIn } from './askedText';
import { retryTexts, sizeOf } from './recordText';
import type { HookTimeout } from '../../work/failures/hookTimeout';
import { hookTimeoutIn } from '../../work/failures/hookTimeout';
import { hookEnded } from './toolText';
import type { AgentSession, EventText, HookEnd, Place, Retry, SessionAbout, WriterContext, WriterSink } from './verbs';

/** Longer lines are kept only with their first record, in characters: a message may have hundreds of parts. */
const maxShared = 16_384;
const maxSubagents = 1000;

type Question = Partial<Pick<PermissionFact, 'asking' | 'toolId' | 'tool' | 'always' | 'isLost'>>;

/** Knows the line and the session that are read, and writes records, facts and requests about them. */
export class RecordWriter {
  readonly sessions: SessionIds;
  protected readonly isBrief: boolean;
  /** Subagents, and the sessions that started them. */
  protected readonly subagents = new BoundedMap<string, AgentSession>(maxSubagents);
  protected readonly sink: WriterSink;
  /** What the agent does; words of records depend on it. */
  readonly work: Work;
  private readonly facts: Facts;
  private readonly titled = new Set<string>();
  /** Messages that arrive in chunks. */
  private readonly chunks = new TextChunks((draft) => recordEarlier(this.sink, this.joined(draft)), maxText);
  /** Agent times of each session's last chunk, in milliseconds since the epoch, if given. */
  private readonly chunkTimes = new Map<string, number>();
  private current: Place = { event: { t: 0, dir: 'a2c', line: '' }, sessionId: undefined, time: undefined };
  private isFirst = true;
  /** Counts hooks that have no IDs. */
  private hooks = 0;
  /** The session that this one was forked from. */
  private origin: string | undefined;

  constructor({ sink, work }: WriterContext) {
    this.sink = sink;
    this.work = work;
    this.facts = new Facts(sink, work);
    this.isBrief = sink.isBrief ?? false;
    this.sessions = new SessionIds((sessionId, at) => {
      const parent = this.subagents.get(sessionId)?.parent;
      sink.session({ type: 'seen', sessionId, at, ...(parent !== undefined && { parent }) });
    });
  }

  /** The line that is read, and its session, if one was named. */
  get place(): Place {
    return this.current;
  }

  /** True if it writes what was copied from another session. */
  get isHistory(): boolean {
    return false;
  }

  /** True if the line was sent to the agent. */
  get isInput(): boolean {
    return this.current.event.dir === 'c2a';
  }

  /** True if a tool with this ID is open. */
  hasTool(id: string | undefined): boolean {
    const call = this.work.tools.get(this.place.sessionId, id);
    return call !== undefined && isOpen(call);
  }

  get isToolRunning(): boolean {
    return this.work.tools.open.some(({ endedAt }) => endedAt === undefined);
  }

  /** True if a tool with this ID is known to have ended. */
  hasEnded(id: string | undefined): boolean {
    const call = this.work.tools.get(this.place.sessionId, id);
    return call !== undefined && !isOpen(call);
  }

  /** Starts reading a line. */
  begin(event: WireMessage, time: number | undefined, sessionId = this.current.sessionId): void {
    this.beginIn(event, time, sessionId);
  }

  /** The same for lines that aren't in order: without a session, it isn't that of the line before. */
  beginIn(event: WireMessage, time: number | undefined, sessionId: string | undefined): void {
    this.current = { event, sessionId, time };
    this.isFirst = true;
  }

  /** Sets the session of what follows. */
  in(session: AgentSession): void {
    const { id, parent } = session;
    if (parent !== undefined && parent !== id) this.subagents.set(id, session);
    this.current = { ...this.current, sessionId: this.sessions.file(id, this.current.event.t) };
  }

  /** Writes a record. Its size is bounded. */
  note({ level, kind = 'activity', time = this.current.time, logger, message, data, content }: EventText): void {
    if (this.isBrief) return;
    const { event, sessionId } = this.current;
    const { t, line } = event;
    // Completes chunked messages, so that records stay in order.
    this.chunks.complete(sessionId ?? '');
    this.sink.record({
      receivedAt: t,
      ...(time !== undefined && time !== t && { time }),
      level,
      kind,
      ...(sessionId !== undefined && { sessionId }),
      ...(logger !== undefined && { logger: oneLine(logger, 100) }),
      message: boundedText(message),
      ...(data !== undefined && { data: boundedData(data) }),
      ...(content && { content }),
      ...(line !== '' && (this.isFirst || line.length <= maxShared) && { raw: line }),
    });
    this.isFirst = false;
  }

  /** Reports bookkeeping or an unknown record by its type and size, without its JSON. */
  other(what: string, logger = 'session'): void {
    if (this.isBrief) return;
    const size = sizeOf(this.current.event.line.length);
    this.note({ level: 'debug', logger, message: `${oneLine(what, 100)} (${size})` });
  }

  /** True if the line has a record, or is part of a message that will be one. */
  get hasNoted(): boolean {
    return !this.isFirst;
  }

  /** Reports the line by its type and size if nothing else has reported it. */
  atLeast(what: string): void {
    if (this.isFirst) this.other(what);
  }

  unknown(type: string | undefined): void {
    this.other(`unknown record type ${type === undefined ? '(none)' : `"${oneLine(type, 60)}"`}`);
  }

  /** Reports that the agent asks the user. @param text its record, in the words of the agent */
  asked(id: string | undefined, title: string | undefined, about: Question = {}, text?: EventText): void {
    if (id !== undefined) this.fact({ ...questionOf(id, about), change: 'asked', title });
    this.note(text ?? { level: 'info', logger: 'permission', message: `asked for: ${title ?? 'an answer'}` });
  }

  /**
   * @param outcome `undefined` if it is unknown
   * @param how its record, if it has one
   */
  settled(
    id: string | undefined,
    outcome: PermissionFact['outcome'],
    how: string | EventText | undefined,
    about: Question = {},
  ): void {
    if (id !== undefined) this.fact({ ...questionOf(id, about), change: 'settled', outcome });
    const level = outcome === 'refused' ? 'notice' : 'info';
    if (how !== undefined) this.note(typeof how === 'string' ? { level, logger: 'permission', message: how } : how);
  }

  /** Reports an attempt that failed and is retried. */
  retry(retry: Retry): void {
    const { record, fact } = retryTexts(retry);
    this.note({ level: 'warning', logger: 'api', message: record });
    this.fact(fact);
  }

  compacting(): void {
    this.fact({ type: 'compaction', change: 'started', isFailed: false });
    this.note({ level: 'info', logger: 'compaction', message: 'compacting the conversation' });
  }

  /**
   * @param before, after tokens
   * @param hasStarted true if its start has been reported
   */
  compacted(trigger: string | undefined, before?: number, after?: number, hasStarted = false): void {
    const size = before === undefined ? '' : ` from ${before} tokens${after === undefined ? '' : ` to ${after}`}`;
    const how = trigger === undefined ? '' : ` (${oneLine(trigger, 60)})`;
    if (!hasStarted) this.fact({ type: 'compaction', change: 'started', isFailed: false });
    this.fact({ type: 'compaction', change: 'ended', isFailed: false, tokensBefore: before, contextTokens: after });
    this.note({ level: 'info', logger: 'compaction', message: `conversation compacted${size}${how}` });
  }

  /** @param error absent if it was cancelled */
  notCompacted(error: string | undefined): void {
    const isCancelled = error === undefined;
    this.fact({ type: 'compaction', change: 'ended', isFailed: !isCancelled, isCancelled });
    const message = isCancelled ? 'interrupted' : `failed: ${error}`;
    this.note({ level: isCancelled ? 'notice' : 'warning', logger: 'compaction', message });
  }

  /** Reports that the agent runs a hook. @param toolId the tool call that it is about */
  hookStarted(id: string, name: string, toolId?: string): void {
    if (!this.isInput) this.fact({ type: 'hook', change: 'started', id, name, toolId });
    this.note({ level: 'debug', logger: 'hook', message: `${oneLine(name, 200)} started` });
  }

  /** Reports that a hook ran. @param id that of its start; `undefined` if the agent tells only the end */
  hookEnded(id: string | undefined, end: HookEnd): void {
    const { ms: took, command, ...told } = end;
    const fact = { ...told, timeout: timeoutOf(end) };
    if (!this.isInput) this.fact({ type: 'hook', change: 'ended', id: id ?? `#${++this.hooks}`, took, ...fact });
    this.note({ ...hookEnded(end), ...(command !== undefined && { data: { command } }) });
  }

  /** Writes a fact. */
  fact(activity: ActivityDraft, sessionId = this.current.sessionId): void {
    this.report({ ...activity, event: this.current.event, sessionId });
  }

  protected report(activity: ActivityFact): WorkEnd | undefined {
    return this.facts.say(activity);
  }

  /** True if the session has a title of its own. */
  isTitled(sessionId: string): boolean {
    return this.titled.has(sessionId);
  }

  /**
   * Sets the session's title.
   * @param isBetter replaces an existing title
   * @param isFinal false if any other title replaces it
   */
  title(text: string | undefined, { isBetter = true, isFinal = true } = {}): void {
    const { sessionId } = this.current;
    const asked = askedIn(text ?? '');
    if (sessionId === undefined || asked.trim() === '') return;
    if (this.titled.has(sessionId) && !isBetter) return;
    if (isFinal) this.titled.add(sessionId);
    this.sink.session({ type: 'titled', sessionId, title: oneLine(asked, 200) });
  }

  /** Reports what the start of the session doesn't say. */
  about(about: SessionAbout): void {
    const { sessionId } = this.place;
    if (sessionId !== undefined) this.sink.about?.(sessionId, about);
  }

  /**
   * Reports what only a sum over the session says.
   * @param costs since the last sum, by model, in US dollars
   * @param rest what was used besides the requests that have records
   */
  spentInAll(costs: Readonly<Record<string, number>>, rest: Usage | undefined): void {
    const usage = { ...rest, basis: 'turn' } as const;
    this.fact({ type: 'usage', id: undefined, usage, ...(rest && { spent: usage }), costs });
  }

  /** Reports what the session used so far, for a turn that has no end to say it. */
  usedSoFar(spent: Usage): void {
    this.fact({ type: 'usage', id: undefined, usage: { basis: spent.basis }, spent });
  }

  /** Reports, once, that the session begins with the history of another one. @param from its ID; empty if unknown */
  forked(from = ''): void {
    if (this.origin === undefined) {
      const origin = from === '' ? 'another session' : `session ${markedId(from)}`;
      this.note({ level: 'info', kind: 'lifecycle', message: `forked from ${origin}` });
    } else if (this.origin !== '' || from === '') return;
    this.origin = from;
    this.about({ forkedFrom: from });
  }

  /** Reports that the session continues, even if it had ended: a file may contain several runs of it. */
  resumed(): void {
    const { sessionId, event } = this.current;
    if (sessionId !== undefined) this.sink.session({ type: 'resumed', sessionId, at: event.t });
  }

  /** @param text the record of it, if it isn't that of a turn */
  ended(text?: EventText): void {
    if (text) this.note({ kind: 'lifecycle', ...text });
    const { sessionId, event } = this.current;
    if (sessionId !== undefined) this.sink.session({ type: 'ended', sessionId, at: event.t });
  }

  /** Reports a request by the agent or its client. */
  requestOpened(id: RequestId, method: string, noted?: unknown): void {
    const { event, sessionId } = this.current;
    const direction = this.isInput ? 'out' : 'in';
    const about = { id, method, direction, startedAt: event.t, noted, kind: 'control' } as const;
    this.work.requests.add({ ...about, ...(sessionId !== undefined && { sessionId }) });
  }

  /** Closes the request that this line answers or withdraws. */
  requestClosed(id: RequestId, { takenBack = false } = {}): OpenRequest | undefined {
    // Only the sender can withdraw a request, so the direction is the opposite of a response's.
    const answers = this.isInput !== takenBack ? 'c2a' : 'a2c';
    return this.work.requests.answer(answers, id, this.current.event.t);
  }

  /** Adds a chunk of a message. `isPartial`: the complete message follows. */
  chunk(speaker: ChunkSpeaker, messageId: string | undefined, text: string | undefined, isPartial: boolean): void {
    if (text === undefined || text === '') return;
    const { event, time, sessionId = '' } = this.current;
    const { t, line } = event;
    this.isFirst = false;
    this.chunks.add({ sessionId, speaker, messageId, text, receivedAt: t, raw: line, isMinor: isPartial });
    // Set afterwards, because the chunk may complete another message.
    if (time !== undefined) this.chunkTimes.set(sessionId, time);
  }

  /** Completes messages that have paused for too long by this time. Default: all. */
  quiet(t?: number): void {
    if (t === undefined) this.chunks.completeAll();
    else this.chunks.quiet(t);
  }

  get isWaiting(): boolean {
    return this.chunks.isWaiting;
  }

  /** Writes something at another line. */
  protected at(place: Place, write: () => void): void {
    const { current, isFirst } = this;
    [this.current, this.isFirst] = [place, false];
    write();
    [this.current, this.isFirst] = [current, isFirst];
  }

  /** A joined message, without an empty session ID. */
  private joined(draft: RecordDraft): RecordDraft {
    const { sessionId = '', ...rest } = draft;
    const time = this.chunkTimes.get(sessionId);
    this.chunkTimes.delete(sessionId);
    return {
      ...rest,
      ...(time !== undefined && { time }),
      ...(sessionId !== '' && { sessionId }),
      // Leaves room for the note about the full length.
      message: cut(draft.message, maxText + 100),
    };
  }
}

/** The hook's command says more than the event's name. */
function timeoutOf({ name, command = name, outcome, output, timeout }: HookEnd): HookTimeout | undefined {
  const found = timeout ?? (outcome === 'ok' ? undefined : hookTimeoutIn(`hook ${output}`));
  return found?.name === '' ? { ...found, name: command } : found;
}

function questionOf(
  id: string,
  about: Question,
): { type: 'permission' } & Pick<PermissionFact, 'id' | 'asking' | 'toolId'> {
  return { type: 'permission', id, asking: 'permission', toolId: undefined, ...about };
}
