import { reaches } from '../text/level';
import { inEnglish } from '../text/translator';
import { BoundedMap } from '../text/boundedMap';
import type { Conversation } from './conversation/conversation';
import type { DiagnosisCode, Finding } from './diagnosis';
import { causeOf } from './causes';
import { classOfFailure } from '../work/failures/failureClass';
import type { TurnEnd, Turn } from '../work/turn';
import { askedIn, isRetrying } from '../work/turn';
import type { Problems } from './problems';
import { worse } from './problems';
import type { Activity, DiagnosisSummary, SessionSummary, TurnOutcome } from './sessionSummary';

const maxSessions = 1000;

/** The turn outcome for each diagnosis. */
const outcomes: ReadonlyMap<DiagnosisCode, TurnOutcome['outcome']> = new Map<DiagnosisCode, TurnOutcome['outcome']>([
  ['failed-turn', 'error'],
  ['authentication-required', 'error'],
  ['missing-executable', 'error'],
  ['empty-turn', 'error'],
  ['turn-cut-short', 'refused'],
]);

/** Keeps a summary of each session and of the run, and reports changes. */
export class Summaries {
  private readonly summaries = new BoundedMap<string | undefined, SessionSummary>(maxSessions);
  private hasEnded = false;

  /** @param report receives each changed summary; without a session, it is that of the run */
  constructor(
    private readonly problems: Problems,
    private readonly report: (sessionId: string | undefined, summary: SessionSummary) => void,
  ) {}

  /** Updates the activity of a session and of the connection. */
  look(sessionId: string | undefined, conversation: Conversation, t: number): void {
    if (sessionId !== undefined) {
      const turn = conversation.work.turnOf(sessionId);
      if (turn) this.forgetBefore(turn);
      this.changeActivity(sessionId, this.since(sessionId, turn ? activityOf(turn, t) : this.resting));
    }
    const asked = conversation.work.requests.find(
      ({ direction, method, kind }) => direction === 'out' && method !== 'session/prompt' && kind === undefined,
    );
    const activity: Activity = asked
      ? { type: 'waiting-for-answer', since: asked.startedAt, method: asked.method }
      : this.resting;
    this.changeActivity(undefined, activity);
  }

  /** Records the end of a turn and its findings. */
  turnEnded({ turn, isOfCommand }: TurnEnd, findings: readonly Finding[], { askedToEnd, work }: Conversation): void {
    const wrong = findings.find(
      ({ code, level }) => outcomes.has(code) && (turn.isUnanswered || reaches(level, 'warning')),
    );
    const isRefusal = wrong?.code === 'turn-cut-short' && turn.end?.outcome === 'refused';
    const isStopped = turn.isUnanswered && askedToEnd;
    if (wrong && !isRefusal && !isStopped) work.failed(turn, inEnglish(wrong.cause ?? wrong.what));
    const outcome = turn.isUnanswered
      ? isStopped
        ? 'stopped'
        : 'unanswered'
      : ((wrong && outcomes.get(wrong.code)) ?? turn.end?.outcome ?? 'ok');
    // A compaction says nothing of the turn before.
    if (isOfCommand === true && outcome === 'ok' && this.summaries.get(turn.sessionId)?.lastTurn) return;
    this.change(turn.sessionId, {
      lastTurn: {
        outcome,
        at: turn.endedAt,
        took: turn.took,
        ...(wrong && { why: wrong.what }),
        ...(wrong?.cause && { cause: wrong.cause }),
      },
    });
  }

  found(finding: Finding): void {
    const row = this.problems.show(finding);
    if (!row) return;
    for (const id of new Set([finding.sessionId, undefined])) {
      if (worse(this.summaries.get(id)?.worst, row) === row) this.change(id, { worst: row });
    }
  }

  /** A problem of these sessions no longer holds. */
  settled(sessions: readonly (string | undefined)[]): void {
    for (const sessionId of sessions) this.lookForWorst(sessionId);
  }

  /** A process was started, possibly after another one. */
  begun(): void {
    this.hasEnded = false;
  }

  ended(): void {
    this.hasEnded = true;
    for (const id of [undefined, ...this.summaries.keys()]) this.changeActivity(id, this.resting);
  }

  /** Drops diagnoses from before the latest turn; the session's counts still include them. */
  private forgetBefore({ sessionId, startedAt }: Turn): void {
    const before = this.summaries.get(sessionId);
    if (!before?.worst || before.worst.at >= startedAt) return;
    this.problems.forgetBefore(startedAt, sessionId);
    this.lookForWorst(sessionId);
  }

  /** The worst diagnosis of a session, and so perhaps of the run, has gone. */
  private lookForWorst(sessionId: string | undefined): void {
    const before = this.summaries.get(sessionId)?.worst;
    const worst = sessionId === undefined ? before : this.problems.worstOf(sessionId);
    if (worst !== before) this.change(sessionId, { worst });
    const { worst: worstOfAll } = this.problems;
    if (worstOfAll !== this.summaries.get(undefined)?.worst) this.change(undefined, { worst: worstOfAll });
  }

  private get resting(): Activity {
    return { type: this.hasEnded ? 'ended' : 'idle' };
  }

  /** Keeps the start time of an ongoing activity. */
  private since(sessionId: string, activity: Activity): Activity {
    const before = this.summaries.get(sessionId)?.activity;
    if (!before || before.type !== activity.type || !('since' in before) || !('since' in activity)) return activity;
    return activity.type === 'running-tool' ? activity : { ...activity, since: before.since };
  }

  /** Called for every line, few of which change the activity. */
  private changeActivity(sessionId: string | undefined, activity: Activity): void {
    const before = this.summaries.get(sessionId)?.activity;
    if (!before || !isSame(before, activity)) this.change(sessionId, { activity });
  }

  private change(
    sessionId: string | undefined,
    part: { activity?: Activity; lastTurn?: TurnOutcome; worst?: DiagnosisSummary | undefined },
  ): void {
    const before = this.summaries.get(sessionId) ?? { activity: this.resting };
    const after = { ...before, ...part };
    this.summaries.set(sessionId, after);
    this.report(sessionId, after);
  }
}

function isSame(a: Activity, b: Activity): boolean {
  if (a.type !== b.type) return false;
  if ('since' in a && 'since' in b && a.since !== b.since) return false;
  if (a.type === 'running-tool' && b.type === 'running-tool') return a.title === b.title;
  if (a.type === 'waiting-for-person' && b.type === 'waiting-for-person') {
    return a.asking === b.asking && a.subject === b.subject;
  }
  if (a.type === 'waiting-for-answer' && b.type === 'waiting-for-answer') return a.method === b.method;
  return !(a.type === 'retrying' && b.type === 'retrying') || a.count === b.count;
}

/** What a turn does at a time, in milliseconds since the epoch. */
export function activityOf(turn: Turn, t: number): Activity {
  const question = askedIn(turn);
  if (question) {
    const { asking, subject } = question;
    return { type: 'waiting-for-person', since: t, asking, ...(subject !== undefined && { subject }) };
  }
  if (isRetrying(turn)) {
    const cause = causeOf(classOfFailure(turn.trouble?.message ?? ''));
    const { retries: count, maxRetries: max } = turn;
    return {
      type: 'retrying',
      since: t,
      count,
      ...(max !== undefined && { max }),
      ...(cause && { cause }),
    };
  }
  if (turn.isCompacting) return { type: 'compacting', since: t };
  const [tool] = turn.tools.values();
  if (tool) return { type: 'running-tool', since: tool.since, title: tool.title };
  const [subagent] = turn.subagents.values();
  if (subagent) return { type: 'running-tool', ...subagent };
  return { type: turn.isAnswering ? 'answering' : 'waiting-for-model', since: t };
}
