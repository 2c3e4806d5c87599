import type { Level } from '../../../log/level';
import { oneLine } from '../../../log/text';
import type { JsonObject } from '../../../log/json';
import { isOpen } from '../../../work/toolCall';
import { commandOf } from '../../../work/toolOutput';
import { toolEnded, toolStarted, toolTitle } from '../../streams/toolText';
import { RecordWriter } from './recordWriter';
import type { Place, Retry, SavedAbout, SavedStart, ToolEnd, TurnEnd } from './savedNotes';
import { describeRetry, describeStart, describeTurnEnd, withoutStatus } from './savedText';
import type { Usage } from './turnUsage';
import { TurnUsage } from './turnUsage';

/**
 * Turns what the lines of a saved session say into records, sessions and facts. Readers of formats call it and keep no log state of
 * their own; what a line means for the diagnosis is in `SavedFacts` alone.
 */
export class SavedWriter extends RecordWriter {
  private readonly usages = new TurnUsage();
  private readonly titled = new Set<string>();
  /** When the open turns started, by session. */
  private readonly openTurns = new Map<string, number>();
  private hasStarted = false;
  private lastModel: string | undefined;
  private held: { readonly place: Place; readonly end: TurnEnd } | undefined;

  /** Reports that the session starts, once, or that it continues in another run of the agent. */
  started(start: SavedStart): void {
    if (this.hasStarted && start.isResumed !== true) return;
    this.hasStarted = true;
    this.note({ level: 'info', kind: 'lifecycle', message: describeStart(start) });
    const { version, model, folder } = start;
    this.reportAbout({ version, model, folder });
    const { event, sessionId } = this.place;
    if (start.isResumed === true && sessionId !== undefined) {
      this.sink.session({ type: 'resumed', sessionId, at: event.t });
    }
  }

  /** Reports the model that is used from here on. */
  model(name: string, { level = 'debug', details = '' }: { level?: Level; details?: string } = {}): void {
    this.note({ level, logger: 'model', message: `${name}${details}` });
    this.reportAbout({ model: name });
  }

  /** Reports the model of an answer, if it isn't the one before. */
  answeredBy(name: string | undefined): void {
    if (name === undefined || name === this.lastModel) return;
    this.lastModel = name;
    this.model(name);
  }

  ended(message: string, level: Level = 'info', data?: JsonObject): void {
    this.note({ level, kind: 'lifecycle', message, ...(data && { data }) });
    const { event, sessionId } = this.place;
    if (sessionId !== undefined) this.sink.session({ type: 'ended', sessionId, at: event.t });
  }

  /** @param isBetter replaces an existing title */
  title(text: string | undefined, { isBetter = true } = {}): void {
    const { sessionId } = this.place;
    if (sessionId === undefined || text === undefined || text.trim() === '') return;
    if (this.titled.has(sessionId) && !isBetter) return;
    this.titled.add(sessionId);
    this.sink.session({ type: 'titled', sessionId, title: oneLine(text, 200) });
  }

  /**
   * Reports a user prompt.
   * @param startsTurn false if the agent marks the start of a turn itself
   */
  prompt(text: string, { startsTurn = true } = {}): void {
    if (text.trim() === '') return;
    if (startsTurn) this.turnStarted(text);
    else this.facts.message(this.place, 'user', text);
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
    this.facts.message(this.place, 'agent', text);
    const message = isCut ? `${text.trimEnd()} … (interrupted)` : text;
    this.note({ level: 'info', logger: 'agent', message });
  }

  thought(text: string): void {
    if (text.trim() === '') return;
    this.ensureTurn();
    this.facts.message(this.place, 'thought', text);
    this.note({ level: 'debug', logger: 'thought', message: text });
  }

  /** @param prompt if the turn starts with it */
  turnStarted(prompt?: string): void {
    const { event, sessionId } = this.place;
    if (sessionId === undefined) return;
    for (const { title, turn, endedAt } of this.facts.work.tools.open) {
      if (turn?.sessionId !== sessionId || endedAt !== undefined) continue;
      const message = `the previous turn has no end; it stopped while ${oneLine(title, 200)} ran`;
      this.note({ level: 'notice', logger: 'turn', message });
    }
    if (this.openTurns.has(sessionId)) this.facts.turnLeft(this.place);
    this.openTurns.set(sessionId, event.t);
    this.usages.take(sessionId);
    this.facts.turnStarted(this.place, prompt);
  }

  /** Turns can start without a record: by one of the agent's commands, or when a background task ends. */
  private ensureTurn(): void {
    if (!this.isInTurn) this.turnStarted();
  }

  get isInTurn(): boolean {
    return this.openTurns.has(this.place.sessionId ?? '');
  }

  /** @param level the level of the record if the turn succeeded */
  turnEnded(end: TurnEnd, level: Level = 'debug'): void {
    const { event, sessionId = '' } = this.place;
    if (this.held?.place.sessionId === this.place.sessionId) this.held = undefined;
    const startedAt = this.openTurns.get(sessionId);
    this.openTurns.delete(sessionId);
    const usage = this.usages.take(sessionId);
    if (startedAt === undefined && end.outcome === 'ok') return;
    const took = end.took ?? (startedAt === undefined ? undefined : Math.max(0, event.t - startedAt));
    this.note({
      level: end.outcome === 'ok' ? level : end.outcome === 'failed' ? 'error' : 'notice',
      logger: 'turn',
      message: describeTurnEnd({ ...end, took }),
      ...(usage && { data: { usage } }),
    });
    this.facts.turnEnded(this.place, { ...end, took }, usage);
  }

  /** Ends the turn here, unless a later line continues it: `settle` or `continueTurn` decides. Another end replaces this one. */
  mayEnd(end: TurnEnd): void {
    this.held = { place: this.place, end };
  }

  /** True if the end of a turn depends on the next line. */
  get isHolding(): boolean {
    return this.held !== undefined;
  }

  /** Writes the end that was held, at its own line. */
  settle(): void {
    const { held } = this;
    if (held) this.at(held.place, () => this.turnEnded(held.end));
  }

  /** Drops the end that was held, and returns it. */
  continueTurn(): TurnEnd | undefined {
    const end = this.held?.end;
    this.held = undefined;
    return end;
  }

  /**
   * @param key identifies the call in its result
   * @param isShown false to report only how the tool ended
   * @param isUsers true if the user ran it: it isn't part of a turn, and its failure isn't the agent's
   */
  toolStarted(key: string | undefined, name = 'tool', input?: unknown, { isShown = true, isUsers = false } = {}): void {
    if (!isUsers) this.ensureTurn();
    if (this.isBrief) return;
    const about = { id: key, name, title: toolTitle(name, input), command: commandOf(input) };
    this.facts.tool(this.place, { change: 'running', ...about, isUsers });
    if (isShown) this.note(toolStarted(name, input));
  }

  toolEnded(key: string | undefined, end: ToolEnd): void {
    if (this.isBrief) return;
    const { work } = this.facts;
    const call = work.tools.get(this.place.sessionId, key);
    const { outcome, exitCode, output, title = call?.title ?? 'tool' } = end;
    this.facts.tool(this.place, {
      change: 'ended',
      id: key,
      title: call ? end.title : title,
      name: call ? call.toolName : title,
      command: call || exitCode === undefined ? undefined : title,
      outcome: outcome === 'ok' ? 'completed' : outcome,
      exitCode,
      ...(outcome === 'failed' && exitCode === undefined && { error: output }),
      output,
      isInterrupted: outcome === 'cancelled',
      took: end.ms,
      isUsers: call?.isUsers,
    });
    const [ended] = work.endedTools;
    this.note(toolEnded({ title, end: ended?.end ?? { outcome: 'ok' }, ms: ended?.took, output }));
  }

  /** True if a tool with this key is open. */
  hasTool(key: string | undefined): boolean {
    const call = this.facts.work.tools.get(this.place.sessionId, key);
    return call !== undefined && isOpen(call);
  }

  retry(retry: Retry): void {
    const why = oneLine(withoutStatus(retry.why, retry.status), 500).replace(/\.$/, '');
    this.note({ level: 'warning', logger: 'api', message: describeRetry({ ...retry, why }) });
    this.facts.retried(this.place, { ...retry, why });
  }

  /** Counts each model call once. @param key the same for all records of a call */
  usage(key: string | undefined, usage: Usage): void {
    const { sessionId } = this.place;
    if (sessionId !== undefined) this.usages.add(sessionId, key ?? '', usage);
  }

  /** @param tokens before and after */
  compacted(trigger: string | undefined, before?: number, after?: number): void {
    const size = before === undefined ? '' : ` from ${before} tokens${after === undefined ? '' : ` to ${after}`}`;
    const how = trigger === undefined ? '' : ` (${oneLine(trigger, 60)})`;
    this.facts.compacted(this.place);
    this.note({ level: 'info', logger: 'compaction', message: `conversation compacted${size}${how}` });
  }

  /** Reports that the agent asks the user. */
  asked(id: string | undefined, title: string): void {
    if (id !== undefined) this.facts.asked(this.place, id, title);
    this.note({ level: 'info', logger: 'permission', message: `asked for: ${title}` });
  }

  settled(id: string | undefined, outcome: 'allowed' | 'refused', how: string): void {
    if (id !== undefined) this.facts.settled(this.place, id, outcome);
    this.note({ level: outcome === 'refused' ? 'notice' : 'info', logger: 'permission', message: how });
  }

  /** Reports tools and turns that were still running when the session stopped. */
  endOfFile(): void {
    const event = { ...this.place.event, line: '' };
    const left = new Set(this.openTurns.keys());
    this.openTurns.clear();
    for (const { title, sessionId, endedAt } of this.facts.work.tools.open) {
      if (endedAt !== undefined) continue;
      left.delete(sessionId);
      const message = `the session ends here, while ${oneLine(title, 200)} ran`;
      this.at({ event, sessionId: sessionId || undefined }, () =>
        this.note({ level: 'warning', logger: 'turn', message }),
      );
    }
    const message = 'the session ends here, before its last turn ended';
    for (const sessionId of left) {
      this.at({ event, sessionId }, () => this.note({ level: 'notice', logger: 'turn', message }));
    }
  }

  private reportAbout(about: SavedAbout): void {
    const { sessionId } = this.place;
    if (sessionId !== undefined) this.sink.about?.(sessionId, about);
  }
}
