import type { Level } from '../../text/level';
import { oneLine } from '../../text/text';
import type { ActivityDraft, SubagentFact, Usage } from '../../work/activity';
import type { ToolFact } from '../../work/tools/toolFacts';
import { turnEnded } from '../../work/activity';
import type { WireMessage } from '../../wire/wireEvent';
import { callText, toolInput } from '../../work/tools/callText';
import { commandOf } from '../../work/tools/toolOutput';

import { timeBetween } from '../../work/step';
import { tellsOfRetry } from '../../work/troubleText';
import { withContext } from '../../work/usage/usage';
import type { WorkEnd } from '../../work/work';
import { RecordWriter } from './recordWriter';
import { describeStart, describeTurnEnd, failedAttempt, isPassing, maxRetryWait } from './recordText';
import { askedIn } from './askedText';
import { toolEnded, toolStarted, toolTitle } from './toolText';
import { WriterTurns } from './writerTurns';
import { TurnUsage } from './turnUsage';
import type {
  AnswerOptions,
  EventText,
  HeldEnd,
  Speaker,
  SessionStart,
  ToolEnd,
  TurnEnding,
  WriterContext,
  WriterPolicy,
} from './verbs';

type ToolDraft = Omit<ActivityDraft<ToolFact>, 'type' | 'time'>;

const maxStopReason = 100;

/**
 * Turns what an agent's lines say into records, sessions and facts, for streams and saved files alike. The readers of formats call it: one
 * verb for what happened. Which turns and tools are open is asked from `Work`.
 */
export class AgentWriter extends RecordWriter {
  readonly turns: WriterTurns;
  private readonly usages = new TurnUsage();
  private hasStarted = false;
  private lastModel: string | undefined;
  /** The last line when the end of the file was reported. A file has several ends if it grows. */
  private lastEnd: WireMessage | undefined;
  private held: HeldEnd | undefined;

  /** @param policy that of a stream changes once its agent is recognized */
  constructor(
    context: WriterContext,
    public policy: WriterPolicy,
  ) {
    super(context);
    this.turns = new WriterTurns(this.work, (fact) => this.report(fact));
  }

  /** Writes a fact about the turn's work. @param mayComeBefore true if it can precede the start of the turn */
  activity(activity: ActivityDraft, { mayComeBefore = false } = {}): void {
    if (this.isInput) return;
    const turn = this.turns.at(this.place);
    if (!mayComeBefore) this.turns.mark(turn, true);
    this.fact(activity);
  }

  /** Reports that the session starts, once, or that it continues in another run of the agent. */
  started(start: SessionStart): void {
    if (this.hasStarted && start.isResumed !== true) return;
    this.hasStarted = true;
    this.note({ level: 'info', kind: 'lifecycle', message: describeStart(start) });
    this.about({ version: start.version, model: start.model, folder: start.folder, branch: start.branch });
    if (start.isResumed === true) this.resumed();
  }

  /** Reports the `init` line of a stream, with which a turn starts. */
  runStarted(start: SessionStart): void {
    this.started({ ...start, isResumed: this.hasStarted });
    this.turnStarted();
    this.uses(start.model);
  }

  /** Reports the model that is used from here on. */
  model(name: string, { level = 'debug', details = '' }: { level?: Level; details?: string } = {}): void {
    this.note({ level, logger: 'model', message: `${name}${details}` });
    this.about({ model: name });
  }

  /** Reports the model of an answer, with a record if it isn't the one before. */
  answeredBy(name: string | undefined): void {
    this.uses(name, true);
    if (name === undefined || name === this.lastModel) return;
    this.lastModel = name;
    this.model(name);
  }

  /** Reports the model that the session uses from here on, without a record. @param isAnswer true if an answer names it */
  uses(model: unknown, isAnswer = false): void {
    if (typeof model === 'string') this.fact({ type: 'model', to: model, isAnswer, isFallback: false });
  }

  /**
   * Reports a user prompt: all of its text, because several prompts are several turns. What programs added to it isn't shown.
   * @param startsTurn false if the agent marks the start of a turn itself
   */
  prompt(text = '', { startsTurn = !this.policy.hasOneTurn } = {}): void {
    const asked = askedIn(text);
    if (asked.trim() === '') return this.insertedPrompt(text);
    if (startsTurn) this.turnStarted(asked);
    else if (!this.isInput) this.fact({ type: 'message', speaker: 'user', text: asked, isPartial: false });
    this.title(asked, { isBetter: false });
    this.note({ level: 'info', logger: 'prompt', content: 'prompt', message: asked });
  }

  /** Reports a prompt written by a program. */
  insertedPrompt(text: string): void {
    if (text.trim() !== '') this.note({ level: 'debug', logger: 'prompt', content: 'prompt', message: text });
  }

  answer(text = '', { isCut = false, speaker = 'agent', logger = 'agent' }: AnswerOptions = {}): void {
    if (text.trim() === '') return;
    this.ensureTurn();
    this.says(speaker, text);
    const message = isCut ? `${text.trimEnd()} … (interrupted)` : text;
    this.note({ level: 'info', logger, content: 'answer', message });
  }

  thought(text = ''): void {
    if (text.trim() === '') return;
    this.ensureTurn();
    this.says('thought', text);
    this.note({ level: 'debug', logger: 'thought', content: 'answer', message: text });
  }

  /** Writes the fact of a message without a record. @param isPartial true if the complete message follows */
  says(speaker: Speaker, text: unknown, isPartial = false): void {
    this.activity({ type: 'message', speaker, text: typeof text === 'string' ? text : '', isPartial });
  }

  /**
   * Reports the start of a turn.
   * @param isNew, hasTurn see `WriterTurns.begin`; only for streams
   */
  turnStarted(prompt = '', { isNew = true, hasTurn = true } = {}): void {
    const { sessionId } = this.place;
    if (this.isInput) return;
    if (this.policy.hasOneTurn) return this.turns.begin(this.place, isNew, hasTurn);
    if (sessionId === undefined) return;
    if (this.isInTurn) this.leaveTurn();
    this.usages.take(sessionId);
    const { parent, name = prompt } = this.subagents.get(sessionId) ?? {};
    const title = name === '' ? 'subagent' : name;
    if (parent !== undefined) this.fact({ type: 'subagent', change: 'started', id: sessionId, title }, parent);
    this.turns.start(this.place, prompt);
  }

  /** Called when the conversation restarts, usually in another session; the prompt continues there. */
  turnReset(): void {
    if (!this.isInput) this.turns.mark(this.turns.at(this.place), false);
  }

  get isInTurn(): boolean {
    return this.work.turnOf(this.place.sessionId) !== undefined;
  }

  /** True if the session has a turn whose end wasn't read. */
  isInTurnOf(sessionId: string | undefined): boolean {
    return this.work.turnOf(sessionId) !== undefined && this.held?.place.sessionId !== sessionId;
  }

  /** @param text its record, in the words of the agent */
  turnEnded(end: TurnEnding, text?: EventText): void {
    const { sessionId = '', time } = this.place;
    if (this.held?.place.sessionId === this.place.sessionId) this.held = undefined;
    const turn = this.isInput ? undefined : this.turns.at(this.place);
    const used = this.usages.take(sessionId);
    if (this.policy.impliesTurns && !turn && end.outcome === 'ok') return;
    const took = end.took ?? timeBetween(turn?.ownStart, time);
    const { outcome, error, level = 'debug', usage = used && { ...used, basis: 'turn' } } = end;
    const isInterrupted = outcome === 'cancelled';
    this.note(
      text ?? {
        level: outcome === 'ok' ? level : outcome === 'error' ? 'error' : 'notice',
        logger: 'turn',
        message: describeTurnEnd({ ...end, took }),
        ...(used && { data: { usage: used } }),
      },
    );
    if (this.isInput) return;
    this.report(
      turnEnded(this.place, {
        stopReason: isInterrupted ? 'cancelled' : (end.stopReason ?? this.policy.stopReason)?.slice(0, maxStopReason),
        failure:
          end.failure ?? (outcome === 'error' ? { type: 'failed', words: error, saysSuccess: false } : undefined),
        isInterrupted,
        isOfCommand: end.isCommand ?? false,
        took,
        text: end.answer ?? '',
        usage,
        answerTokens: end.answerTokens,
        ...(end.isAnswerUnknown === true && { isAnswerUnknown: true }),
      }),
    );
    this.subagentEnded(outcome);
  }

  /** Reports an error that doesn't end the turn by itself: an attempt that is retried if its words say so, or the last one. */
  failed(words: string | undefined, text: EventText): void {
    const message = words !== undefined && tellsOfRetry(words) ? words : undefined;
    this.activity({ type: 'retry', change: message === undefined ? 'gave-up' : 'retrying', message });
    this.note(text);
  }

  /** Ends the turn here, unless a later line continues it: `settle` or `continueTurn` decides. Another end replaces this one. */
  mayEnd(end: TurnEnding): void {
    this.held = { place: this.place, end };
  }

  /**
   * Ends the turn here with the failure of an attempt, unless the turn goes on without another prompt: then the attempt was retried.
   * @param error with the status before or behind its words, if it is known
   */
  attemptFailed(error: string): void {
    this.goesOn();
    this.held = { place: this.place, end: { outcome: 'error', error }, mayBeRetried: isPassing(error) };
  }

  /** Reports that the agent drops the attempt that failed and tries again, or that nothing more follows. */
  expectsRetry(): void {
    if (this.held) this.held = { ...this.held, mayBeRetried: true, retriedAt: this.place };
  }

  /** The turn goes on: the end that was held is dropped, and an attempt that failed was retried. */
  goesOn(): void {
    const { held } = this;
    if (!held || held.place.sessionId !== this.place.sessionId) return;
    this.held = undefined;
    const { place, retriedAt = place, end } = held;
    const { outcome, error = 'the model did not answer' } = end;
    if (outcome === 'error') this.at(retriedAt, () => this.retry(failedAttempt(error)));
  }

  /**
   * Nothing else was written for a while: writes the end that was held, unless another attempt is likely.
   * @param t now, in milliseconds since the epoch
   */
  pause(t: number): void {
    if (this.held?.mayBeRetried !== true || t - this.held.place.event.t >= maxRetryWait) this.settle();
  }

  /** Writes the end that was held, at its own line. */
  settle(): void {
    const { held } = this;
    if (held) this.at(held.place, () => this.turnEnded(held.end));
  }

  /** Drops the end that was held, and returns it. */
  continueTurn(): TurnEnding | undefined {
    const end = this.held?.end;
    this.held = undefined;
    return end;
  }

  /**
   * Reports the start of a tool call.
   * @param id identifies the call in its result
   * @param isShown false to report only how the tool ended
   * @param isUsers true if the user ran it: it isn't part of a turn, and its failure isn't the agent's
   * @param parentId the call that it is part of, such as a subagent's
   */
  toolStarted(
    id: string | undefined,
    name = 'tool',
    input?: unknown,
    { isShown = true, isUsers = false, parentId = undefined as string | undefined } = {},
  ): void {
    if (!isUsers) this.ensureTurn();
    if (this.isBrief) return isUsers ? undefined : this.activity({ type: 'progress' });
    const about = { parentId, title: toolTitle(name, input), name, command: commandOf(input), isUsers };
    if (id !== undefined || !isUsers) this.toolRuns(id, { ...about, ...toolInput(input, name) });
    if (isShown) this.note(toolStarted(name, input));
  }

  /** Writes the fact that a tool call runs. */
  toolRuns(id: string | undefined, about: Omit<ToolDraft, 'change' | 'id'>): void {
    if (id === undefined) this.activity({ type: 'progress' });
    else this.tool({ change: 'running', id, ...about });
  }

  toolEnded(id: string | undefined, end: ToolEnd): void {
    if (this.isBrief) return;
    const call = this.work.tools.get(this.place.sessionId, id);
    const { outcome, exitCode, output, shown = output, status } = end;
    const { title = call?.title ?? id ?? 'a tool' } = end;
    const ends = this.tool({
      change: 'ended',
      id,
      title: end.title,
      name: end.name ?? (end.title === undefined ? undefined : (call?.toolName ?? end.title)),
      command: end.command ?? (call || exitCode === undefined ? undefined : end.title),
      input: end.input,
      args: end.args,
      changes: end.changes,
      result: callText(output, shown, end.error),
      outcome,
      exitCode,
      error: end.error,
      output,
      isInterrupted: end.isInterrupted ?? outcome === 'cancelled',
      took: end.ms,
      isUsers: call?.isUsers,
    });
    const ended = ends?.tools[0];
    const how = ended?.end ?? { outcome: outcome === 'error' ? outcome : 'ok' };
    this.note(toolEnded({ title, end: how, status, ms: ended?.took, output: shown }));
  }

  /**
   * Reports what a model request used, and counts it once for its turn.
   * @param key the same for all records of a request
   * @param isAside true if it isn't part of the conversation, so that the context stays
   */
  usage(key: string | undefined, usage: Usage | undefined, { isAside = false } = {}): void {
    const { sessionId } = this.place;
    if (sessionId === undefined || !usage) return;
    const news = this.usages.add(sessionId, key ?? '', usage);
    if (!news || this.isInput) return;
    const spent = { ...news, basis: 'turn' } as const;
    this.fact({ type: 'usage', id: key, usage: isAside ? usage : withContext(usage), spent });
  }

  /** Reports what a model request of the session's own conversation used, or the window of its model. The turn's end has the sum. */
  requestUsed(id: string | undefined, usage: Usage | undefined): void {
    if (usage && !this.isInput) this.fact({ type: 'usage', id, usage: withContext(usage) });
  }

  /** Reports what was open when the process ended. */
  endOfProcess(t: number, level: Level): void {
    for (const { title, sessionId } of this.work.tools.open) {
      const message = `${oneLine(title, 200)} (was not finished before the end)`;
      this.noteEnd(t, sessionId, { level, logger: 'tool', content: 'tool', message });
    }
  }

  /** Reports tools and turns that were still running when the session stopped. */
  endOfFile(): void {
    const { event } = this.place;
    if (event === this.lastEnd) return;
    this.lastEnd = event;
    const { t } = event;
    // Other files of the session have writers of their own.
    const isOwn = (sessionId: string): boolean => sessionId === '' || this.sessions.has(sessionId);
    const left = new Set(this.work.turns.map(({ sessionId }) => sessionId).filter(isOwn));
    for (const { title, sessionId, endedAt } of this.work.tools.open) {
      if (endedAt !== undefined || !isOwn(sessionId)) continue;
      left.delete(sessionId);
      const message = `the session ends here, while ${oneLine(title, 200)} ran`;
      this.noteEnd(t, sessionId, { level: 'warning', logger: 'turn', message });
    }
    const message = 'the session ends here, before its last turn ended';
    for (const sessionId of left) this.noteEnd(t, sessionId, { level: 'notice', logger: 'turn', message });
  }

  override get isWaiting(): boolean {
    return this.held !== undefined || super.isWaiting;
  }

  /** Writes the fact of a tool call. Returns what it ended. */
  private tool(about: ToolDraft): WorkEnd | undefined {
    if (this.isInput) return undefined;
    const { event, sessionId, time } = this.place;
    this.turns.mark(this.turns.at(this.place), true);
    return this.report({ type: 'tool', event, sessionId, time, ...about });
  }

  /** Turns can start without a record: by one of the agent's commands, or when a background task ends. */
  private ensureTurn(): void {
    if (this.policy.impliesTurns && !this.isInTurn) this.turnStarted();
  }

  /** Another turn starts before this one has ended. */
  private leaveTurn(): void {
    for (const { title, turn, endedAt } of this.work.tools.open) {
      if (turn?.sessionId !== this.place.sessionId || endedAt !== undefined) continue;
      const message = `the previous turn has no end; it stopped while ${oneLine(title, 200)} ran`;
      this.note({ level: 'notice', logger: 'turn', message });
    }
    this.report(turnEnded(this.place, { isUnanswered: true }));
    this.subagentEnded(undefined);
  }

  private subagentEnded(outcome: SubagentFact['outcome']): void {
    const { sessionId: id = '' } = this.place;
    const parent = this.subagents.get(id)?.parent;
    if (parent !== undefined) this.fact({ type: 'subagent', change: 'ended', id, title: undefined, outcome }, parent);
  }

  private noteEnd(t: number, sessionId: string, text: EventText): void {
    const event = { t, dir: 'a2c', line: '' } as const;
    this.at({ event, sessionId: sessionId === '' ? undefined : sessionId, time: undefined }, () => this.note(text));
  }
}
