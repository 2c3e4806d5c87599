import type { Level } from '../../../log/level';
import { duration, oneLine } from '../../../log/text';
import type { WireMessage } from '../../../wire/wireEvent';
import { SessionIds } from '../../acp/sessionIds';
import { boundedData } from '../../boundedData';
import { boundedText } from '../../boundedText';
import type { JsonObject } from '../../json';
import { objectOf, textOf } from '../../json';
import { toolStarted, toolTitle } from '../../streams/toolText';
import type { ToolEnd } from './openTools';
import { describeToolEnd, OpenTools } from './openTools';
import { SavedFacts } from './savedFacts';
import type { Note, Place, Retry, SavedAbout, SavedSessionIds, SavedSink, SavedStart } from './savedNotes';
import { TurnUsage } from './turnUsage';
import type { TurnEnd } from './turnText';
import { describeTurnEnd, withoutStatus } from './turnText';
import type { Usage } from './turnUsage';

/** Maximum length of a raw line to keep with more than its first record, in characters. */
const maxShared = 16_384;

/**
 * Turns what the lines of a saved session say into records, sessions and facts. Readers of formats call it and keep no log state of
 * their own; what a line means for the diagnosis is in `SavedFacts` alone.
 */
export class SavedWriter {
  private readonly sessions: SessionIds;
  private readonly isBrief: boolean;
  private readonly tools = new OpenTools();
  private readonly facts: SavedFacts;
  private readonly usages = new TurnUsage();
  private readonly titled = new Set<string>();
  private readonly openTurns = new Map<string, number>();
  private current: string | undefined;
  private event: WireMessage = { t: 0, dir: 'a2c', line: '' };
  private isFirst = true;

  constructor(private readonly sink: SavedSink) {
    this.isBrief = sink.isBrief ?? false;
    this.facts = new SavedFacts(sink);
    this.sessions = new SessionIds((sessionId, at) => {
      const parent = this.facts.parentOf(sessionId);
      sink.session({ type: 'seen', sessionId, at, ...(parent !== undefined && { parent }) });
    });
  }

  /** Starts reading a line. */
  begin(event: WireMessage): void {
    this.event = event;
    this.isFirst = true;
  }

  /** The current session, if one was named. */
  get sessionId(): string | undefined {
    return this.current;
  }

  /** The line and the session that are read now, for `at`. */
  get place(): Place {
    return { event: this.event, sessionId: this.current };
  }

  /** Writes something at an earlier line, once its meaning is known. */
  at(place: Place, write: () => void): void {
    const { place: now, isFirst } = this;
    [this.event, this.current, this.isFirst] = [place.event, place.sessionId, false];
    write();
    [this.event, this.current, this.isFirst] = [now.event, now.sessionId, isFirst];
  }

  /** Sets the session of what follows. */
  in({ id, parent, name }: SavedSessionIds): void {
    if (parent !== undefined && parent !== id) this.facts.subagent(id, { parent, name });
    this.current = this.sessions.file(id, this.event.t);
  }

  note({ level, kind = 'activity', logger, message, data, at }: Note): void {
    if (this.isBrief) return;
    const { t, line } = this.event;
    this.sink.record({
      receivedAt: at ?? t,
      level,
      kind,
      ...(this.current !== undefined && { sessionId: this.current }),
      ...(logger !== undefined && { logger: oneLine(logger, 100) }),
      message: boundedText(message),
      ...(data !== undefined && { data: boundedData(data) }),
      ...(line !== '' && (this.isFirst || line.length <= maxShared) && { raw: line }),
    });
    this.isFirst = false;
  }

  /** Reports bookkeeping or an unknown record by its type and size, without its JSON. */
  other(what: string, logger = 'session'): void {
    if (this.isBrief) return;
    this.note({ level: 'debug', logger, message: `${oneLine(what, 100)} (${sizeOf(this.event.line.length)})` });
  }

  unknown(type: string | undefined): void {
    this.other(`unknown record type ${type === undefined ? '(none)' : `"${oneLine(type, 60)}"`}`);
  }

  /** Reports that the session starts, or continues in another run of the agent. */
  started({ agent, version, model, folder, details = [], isResumed = false }: SavedStart): void {
    const words = [
      version === undefined ? agent : `${agent} ${version}`,
      ...details,
      ...(model === undefined ? [] : [`model ${model}`]),
      ...(folder === undefined ? [] : [`in ${folder}`]),
    ];
    const text = words.map((word) => oneLine(word, 300)).join(', ');
    const message = `session ${isResumed ? 'resumed' : 'started'}: ${text}`;
    this.note({ level: 'info', kind: 'lifecycle', message });
    this.reportAbout({ version, model, folder });
    if (isResumed && this.current !== undefined) {
      this.sink.session({ type: 'resumed', sessionId: this.current, at: this.event.t });
    }
  }

  /** Reports the model that is used from here on. */
  model(name: string, { level = 'debug', details = '' }: { level?: Level; details?: string } = {}): void {
    this.note({ level, logger: 'model', message: `${name}${details}` });
    this.reportAbout({ model: name });
  }

  ended(message: string, level: Level = 'info', data?: JsonObject): void {
    this.note({ level, kind: 'lifecycle', message, ...(data && { data }) });
    if (this.current !== undefined) this.sink.session({ type: 'ended', sessionId: this.current, at: this.event.t });
  }

  /** @param isBetter replaces an existing title */
  title(text: string | undefined, { isBetter = true } = {}): void {
    const { current } = this;
    if (current === undefined || text === undefined || text.trim() === '') return;
    if (this.titled.has(current) && !isBetter) return;
    this.titled.add(current);
    this.sink.session({ type: 'titled', sessionId: current, title: oneLine(text, 200) });
  }

  /**
   * Reports a user prompt.
   * @param startsTurn false if the agent marks the start of a turn itself
   */
  prompt(text: string, { startsTurn = true } = {}): void {
    if (text.trim() === '') return;
    if (startsTurn) this.turnStarted(text);
    else if (!this.isBrief) this.facts.message(this.event, this.current, 'user', text);
    this.title(text, { isBetter: false });
    this.note({ level: 'info', logger: 'prompt', message: text });
  }

  /** Reports a prompt written by a program. */
  insertedPrompt(text: string): void {
    if (text.trim() !== '') this.note({ level: 'debug', logger: 'prompt', message: text });
  }

  answer(text: string, { isCut = false } = {}): void {
    if (text.trim() === '') return;
    this.ensureTurn();
    if (this.isBrief) return;
    this.facts.message(this.event, this.current, 'agent', text);
    const message = isCut ? `${text.trimEnd()} … (interrupted)` : text;
    this.note({ level: 'info', logger: 'agent', message });
  }

  thought(text: string): void {
    if (text.trim() === '') return;
    this.ensureTurn();
    if (this.isBrief) return;
    this.facts.message(this.event, this.current, 'thought', text);
    this.note({ level: 'debug', logger: 'thought', message: text });
  }

  /** @param prompt if the turn starts with it */
  turnStarted(prompt?: string): void {
    if (this.current === undefined) return;
    for (const { title } of this.tools.leave(this.current)) {
      const message = `the previous turn has no end; it stopped while ${title} ran`;
      this.note({ level: 'notice', logger: 'turn', message });
    }
    if (this.openTurns.has(this.current)) this.facts.turnLeft(this.event, this.current);
    this.openTurns.set(this.current, this.event.t);
    this.usages.clear(this.current);
    this.facts.turnStarted(this.event, this.current, prompt);
  }

  /** Turns can start without a record: by one of the agent's commands, or when a background task ends. */
  private ensureTurn(): void {
    if (!this.isInTurn) this.turnStarted();
  }

  get isInTurn(): boolean {
    return this.current !== undefined && this.openTurns.has(this.current);
  }

  /** @param level the level of the record if the turn succeeded */
  turnEnded(end: TurnEnd, level: Level = 'debug'): void {
    const { current } = this;
    const startedAt = current === undefined ? undefined : this.openTurns.get(current);
    if (current !== undefined) this.openTurns.delete(current);
    const usage = current === undefined ? undefined : this.usages.take(current);
    if (startedAt === undefined && end.outcome === 'ok') return;
    const took = end.took ?? (startedAt === undefined ? undefined : Math.max(0, this.event.t - startedAt));
    if (end.outcome === 'interrupted') this.tools.closeAll(current);
    this.note({
      level: end.outcome === 'ok' ? level : end.outcome === 'failed' ? 'error' : 'notice',
      logger: 'turn',
      message: describeTurnEnd(end, took),
      ...(usage && { data: { usage } }),
    });
    this.facts.turnEnded(this.event, current, { ...end, took }, usage);
  }

  /**
   * @param isShown false to report only how the tool ended
   * @param key identifies the call in its result
   */
  toolStarted(key: string | undefined, name: string, input: unknown, { isShown = true } = {}): void {
    this.ensureTurn();
    if (this.isBrief) return;
    const command = textOf(objectOf(input)['command']) ?? textOf(objectOf(input)['cmd']);
    const title = oneLine(toolTitle(name, input), 200);
    this.facts.toolStarted(this.event, this.current, { key, name, title, command });
    this.openTool(key, name, input, { isShown, isUsers: false });
  }

  /** Reports a tool that the user ran. It isn't part of a turn, and its failure isn't the agent's. */
  commandStarted(key: string | undefined, name: string, input: unknown, { isShown = true } = {}): void {
    this.openTool(key, name, input, { isShown, isUsers: true });
  }

  toolEnded(key: string | undefined, end: ToolEnd): void {
    if (this.isBrief) return;
    const call = key === undefined ? undefined : this.tools.end(key);
    const ended = describeToolEnd(end, call, this.event.t);
    this.note(ended.note);
    if (call?.isUsers === true) return;
    const { title, took } = ended;
    const command = call?.command ?? (end.exitCode === undefined ? undefined : title);
    const known = { key, name: call?.name ?? title, title, command };
    this.facts.toolEnded(this.event, this.current, known, { ...end, ms: took });
  }

  private openTool(
    key: string | undefined,
    name: string,
    input: unknown,
    { isShown, isUsers }: { readonly isShown: boolean; readonly isUsers: boolean },
  ): void {
    const call = { name, input, sessionId: this.current, startedAt: this.event.t, isUsers };
    if (key !== undefined) this.tools.start(key, call);
    if (isShown) this.note(toolStarted(name, input));
  }

  /** True if a tool with this key is open. */
  hasTool(key: string): boolean {
    return this.tools.has(key);
  }

  retry({ attempt, max, inMs, status, why, at }: Retry): void {
    const count = attempt === undefined ? '' : ` ${attempt}${max === undefined ? '' : ` of ${max}`}`;
    const delay = inMs === undefined ? '' : ` in ${duration(inMs)}`;
    const words = oneLine(status === undefined ? why : withoutStatus(why, status), 500).replace(/\.$/, '');
    const message = `${status === undefined ? '' : `status ${status}, `}retry${count}${delay}: ${words}`;
    this.note({ level: 'warning', logger: 'api', message, ...(at !== undefined && { at }) });
    this.facts.retried(this.event, this.current, { status, inMs, why: words });
  }

  /** Counts each model call once. @param key the same for all records of a call */
  usage(key: string, usage: Usage): void {
    if (this.current !== undefined) this.usages.add(this.current, key, usage);
  }

  /** @param tokens before and after */
  compacted(trigger: string | undefined, before?: number, after?: number): void {
    const size = before === undefined ? '' : ` from ${before} tokens${after === undefined ? '' : ` to ${after}`}`;
    const how = trigger === undefined ? '' : ` (${oneLine(trigger, 60)})`;
    this.facts.compacted(this.event, this.current);
    this.note({ level: 'info', logger: 'compaction', message: `conversation compacted${size}${how}` });
  }

  /** Reports that the agent asks the user. */
  asked(id: string | undefined, title: string): void {
    if (id !== undefined) this.facts.asked(this.event, this.current, id, title);
    this.note({ level: 'info', logger: 'permission', message: `asked for: ${title}` });
  }

  settled(id: string | undefined, outcome: 'allowed' | 'refused', how: string): void {
    if (id !== undefined) this.facts.settled(this.event, this.current, id, outcome);
    this.note({ level: outcome === 'refused' ? 'notice' : 'info', logger: 'permission', message: how });
  }

  /** Reports tools and turns that were still running when the session stopped. */
  endOfFile(): void {
    const { event } = this;
    const place = (sessionId: string | undefined): Place => ({ event: { ...event, line: '' }, sessionId });
    const left = new Set(this.openTurns.keys());
    this.openTurns.clear();
    for (const { title, sessionId } of this.tools.takeAll()) {
      if (sessionId !== undefined) left.delete(sessionId);
      const message = `the session ends here, while ${oneLine(title, 200)} ran`;
      this.at(place(sessionId), () => this.note({ level: 'warning', logger: 'turn', message }));
    }
    const message = 'the session ends here, before its last turn ended';
    for (const id of left) this.at(place(id), () => this.note({ level: 'notice', logger: 'turn', message }));
  }

  private reportAbout(about: SavedAbout): void {
    if (this.current !== undefined) this.sink.about?.(this.current, about);
  }

  /** Reports a line that can't be read. */
  unreadable(event: WireMessage, what: string, level: Level): void {
    this.begin(event);
    this.note({ level, logger: 'session', message: what });
  }
}

/** `812 characters`, `1.2 KB`. */
export function sizeOf(characters: number): string {
  if (characters < 1000) return `${characters} characters`;
  if (characters < 1e6) return `${(characters / 1000).toFixed(characters < 10_000 ? 1 : 0)} KB`;
  return `${(characters / 1e6).toFixed(1)} MB`;
}
