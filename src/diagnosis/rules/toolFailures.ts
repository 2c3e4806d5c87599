import { BoundedMap } from '../../text/boundedMap';
import { ownHead } from '../../text/ownText';
import { shownLine } from '../../text/text';
import { t } from '../../text/translator';
import type { SubagentFact, TurnFact } from '../../work/activity';
import type { ToolCall } from '../../work/tools/toolCall';
import type { Turn, TurnEnd } from '../../work/turn';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import { standing } from '../diagnosis';
import { attemptsOf } from '../failures/calls/attempt';
import { stops } from '../failures/calls/askedFor';
import type { Changes } from '../failures/calls/failedAim';
import { changesFiles, failedAim } from '../failures/calls/failedAim';
import { failedCallSubject, patience } from '../failures/calls/calledAgain';
import { saysMisled } from '../failures/calls/dealtWith';
import type { FailedCall } from '../failures/calls/failedCall';
import { failedCall, judgeCall, noteSuccess } from '../failures/calls/failedCall';
import { ignoredFailures, settledFailures, toolFinding } from '../failures/calls/toolEnd';
import type { Findings, Found, Rule, ToolEnded } from '../rule';
import type { Timeouts } from '../timeouts';

const maxSessions = 200;
/** How many failed calls of a turn are kept; the oldest are counted. */
const maxFailed = 30;
/** Maximum length of a kept line, in characters. */
const maxRaw = 1000;

/** What is known of the failures of a turn. */
interface Failures {
  readonly turn: Turn;
  readonly calls: FailedCall[];
  readonly changes: Changes;
  /** How many others weren't dealt with. */
  dropped: number;
  /** Whether the agent has stopped a process: its end isn't a failure. */
  hasStopped: boolean;
  /** A subagent failed, and reports that itself. */
  hasFailedChild: boolean;
  /** The calls that were reported while the turn waited. */
  early: readonly FailedCall[];
  isJudgedEarly: boolean;
}

/**
 * Tools that failed, whatever the status of their call. Within a turn, agents try again: only what they haven't dealt with when the turn ends is a
 * problem.
 */
export class ToolFailures implements Rule {
  private readonly reported = new WeakSet<ToolCall>();
  /** By session. */
  private readonly open = new BoundedMap<string, Failures>(maxSessions);
  /** Waits before this time are unknown. */
  private resumedAt = 0;

  /** @param timeouts after `slow`, a turn that waits for the user or its model is judged before its end */
  constructor(private readonly timeouts: Pick<Timeouts, 'slow'>) {}

  /** Streams that name no session have no other end of a turn. */
  turn({ change, sessionId, ...fact }: TurnFact): Findings {
    if (change !== 'ended' || sessionId !== undefined) return undefined;
    return this.judge('', 'failure' in fact && fact.failure !== undefined);
  }

  turnEnded({ turn, isAnswerUnknown }: TurnEnd, _conversation: Conversation, verdict: readonly Finding[]): Findings {
    const { outcome } = turn.end ?? {};
    // Without the answer, whether the agent said it is unknown, too.
    const hasFailed = outcome !== 'ok' || isAnswerUnknown === true || verdict.some(isOfTurn);
    return this.judge(turn.sessionId, hasFailed);
  }

  /** A subagent with a session reports its own failure, so that of the tool that waited for it is its consequence. */
  subagent({ change, outcome, sessionId = '' }: SubagentFact, conversation: Conversation): Findings {
    if (change !== 'ended' || outcome !== 'error' || conversation.protocol !== 'acp') return undefined;
    const turn = conversation.turnOf(sessionId);
    if (turn) this.failuresOf(turn).hasFailedChild = true;
    return undefined;
  }

  /** Nobody looks at a question that comes right after a failed test, but at one that has waited for minutes. */
  passed(t: number): Findings {
    if (this.open.size === 0) return undefined;
    return this.open
      .values()
      .filter((failures) => t >= this.dueAt(failures))
      .map(judgeEarly);
  }

  resumed(t: number): void {
    this.resumedAt = t;
  }

  isWatching(): boolean {
    return this.open.values().some((failures) => this.dueAt(failures) < Infinity);
  }

  finished(): Findings {
    return this.open.keys().flatMap((sessionId) => this.judge(sessionId, false));
  }

  toolEnded({ tool, event, evidence }: ToolEnded, { protocol, startedWith }: Conversation): Findings {
    // An MCP tool whose request failed has no outcome.
    const hasEnd = tool.outcome !== undefined || tool.output !== '';
    if (this.reported.has(tool) || !tool.hasEnded || !hasEnd) return undefined;
    const { turn } = tool;
    const found = toolFinding(tool);
    if (!found && turn) this.noteSuccess(tool, turn);
    if (!found) return turn ? undefined : succeededAlone(tool);
    this.reported.add(tool);
    // What isn't news is told at once. So is what no turn will tell.
    if (!turn) {
      const subject = failedCallSubject(tool, saysMisled(tool.end?.error ?? tool.output));
      return { ...found, delivery: standing(subject, protocol === 'mcp' ? patience : undefined) };
    }
    if (turn.endedAt !== undefined || found.level === 'notice') return found;
    const failures = this.failuresOf(turn);
    const raw = 'line' in event ? ownHead(event.line, maxRaw) : undefined;
    // Streams often don't repeat the prompt that their agent was started with.
    const prompt = turn.prompt === '' ? startedWith : turn.prompt;
    const call = failedCall(tool, { at: event.t, evidence, raw, prompt }, failures.hasStopped);
    if (failures.calls.length >= maxFailed) drop(failures);
    failures.calls.push(call);
    return undefined;
  }

  /** When a turn that waits has to be judged. */
  private dueAt({ turn, calls, isJudgedEarly }: Failures): number {
    const isWorking = turn.questions.size === 0 && turn.tools.size + turn.subagents.size > 0;
    const isJudged = isJudgedEarly || turn.endedAt !== undefined || calls.every(({ dealt }) => dealt !== undefined);
    return isWorking || isJudged ? Infinity : Math.max(turn.lastAt, this.resumedAt) + this.timeouts.slow;
  }

  private noteSuccess(tool: ToolCall, turn: Turn): void {
    if (tool.end?.outcome !== 'ok') return;
    const isStop = stops(tool);
    const isChange = changesFiles(tool);
    const failures = isStop || isChange ? this.failuresOf(turn) : this.open.get(turn.sessionId);
    if (failures?.turn !== turn) return;
    failures.hasStopped ||= isStop;
    if (isChange) failures.changes.lastAt = Math.max(failures.changes.lastAt, tool.since);
    const left = failures.calls.filter(({ dealt, at }) => dealt === undefined && at <= tool.since);
    if (left.length === 0) return;
    const attempts = attemptsOf(tool, false);
    for (const call of left) noteSuccess(call, tool, attempts);
  }

  private failuresOf(turn: Turn): Failures {
    const known = this.open.get(turn.sessionId);
    if (known?.turn.id === turn.id) return known;
    const fresh: Failures = {
      turn,
      calls: [],
      changes: { lastAt: -Infinity },
      dropped: 0,
      hasStopped: false,
      hasFailedChild: false,
      early: [],
      isJudgedEarly: false,
    };
    this.open.set(turn.sessionId, fresh);
    return fresh;
  }

  /** @param hasFailed whether the turn itself failed or was cut short, which is a problem of its own */
  private judge(sessionId: string, hasFailed: boolean): readonly (Found | undefined)[] {
    const failures = this.open.get(sessionId);
    this.open.delete(sessionId);
    if (!failures || failures.calls.length === 0) return [];
    const { turn, dropped, hasFailedChild } = failures;
    const calls = failures.calls.filter(isStillFailed);
    const undealt = calls.filter(({ dealt }) => dealt === undefined);
    for (const call of undealt) {
      if (hasFailed) call.dealt = 'unwanted';
      else if (hasFailedChild && call.tool.isDelegation) call.dealt = 'child';
      else call.dealt = judgeCall(call, turn, undealt);
    }
    const open = calls.filter(({ dealt }) => dealt === undefined || dealt === 'said');
    const aim = hasFailed ? undefined : failedAim(open, failures.changes);
    const others = calls.filter((call) => aim?.calls.includes(call) !== true);
    const ignored = others.filter(({ dealt }) => dealt === undefined);
    const settled = others.filter(({ dealt }) => dealt !== undefined);
    const place = { sessionId: turn.sessionId };
    const [warning, notice] = [ignoredFailures(ignored, hasFailed ? 0 : dropped), settledFailures(settled)];
    const { early } = failures;
    const isKnown = early.length > 0 && isSame(early, ignored);
    const delivery = { type: 'settled', subject: subjectOf(turn) } as const;
    const over = early.length > 0 && !isKnown ? { ...(notice ?? continued), delivery } : notice;
    return [
      isKnown ? undefined : warning && { ...warning, ...place },
      aim && { ...aim.found, ...place },
      over && { ...over, ...place },
    ];
  }
}

/** Agents may correct how a call ended: an appeal against a review, an exit code that comes late. */
function isStillFailed({ tool }: FailedCall): boolean {
  return toolFinding(tool)?.level === 'warning';
}

/** A call outside of turns, as those to an MCP server: its success settles an earlier failure. */
function succeededAlone(tool: ToolCall): Findings {
  if (tool.end?.outcome !== 'ok' || tool.isUsers) return undefined;
  const what = t('`{0}` succeeded later', shownLine(tool.title, 100));
  return [true, false].map((isMisled) => ({
    code: 'tool-failed',
    level: 'notice',
    what,
    delivery: { type: 'settled', subject: failedCallSubject(tool, isMisled) },
  }));
}

/** The turn went on, and is judged anew. */
const continued: Found = { code: 'tool-failed', level: 'notice', what: t('The turn has ended') };

/** Judges a turn that waits. If it goes on, its end may settle this. */
function judgeEarly(failures: Failures): Found | undefined {
  const { turn, calls } = failures;
  const open = calls.filter((call) => call.dealt === undefined && isStillFailed(call));
  const ignored = open.filter((call) => judgeCall(call, turn, open) === undefined);
  failures.isJudgedEarly = true;
  failures.early = ignored;
  const found = ignoredFailures(ignored, 0);
  return found && { ...found, sessionId: turn.sessionId, delivery: standing(subjectOf(turn)) };
}

function subjectOf({ id }: Turn): string {
  return `tools of ${id}`;
}

function isSame(ones: readonly FailedCall[], others: readonly FailedCall[]): boolean {
  return ones.length === others.length && ones.every((one, i) => one === others[i]);
}

/** Codes of what makes a turn fail. */
const ofTurn: ReadonlySet<Finding['code']> = new Set<Finding['code']>([
  'failed-turn',
  'turn-cut-short',
  'authentication-required',
  'missing-executable',
]);

function isOfTurn({ code, level }: Finding): boolean {
  return ofTurn.has(code) && level !== 'notice';
}

/** Drops a call that was dealt with, or else the oldest. */
function drop(failures: Failures): void {
  const dealt = failures.calls.findIndex((call) => call.dealt !== undefined);
  failures.calls.splice(Math.max(0, dealt), 1);
  if (dealt < 0) failures.dropped++;
}
