import { duration, oneLine } from '../../log/text';
import type { Level } from '../../log/level';
import type { DiagnosisCode } from './diagnosis';

/** What a session, or the connection, is doing. Times are in milliseconds since the epoch. */
export type Activity =
  | { readonly type: 'idle' }
  | { readonly type: 'waiting-for-model'; readonly since: number }
  | { readonly type: 'answering'; readonly since: number }
  | { readonly type: 'running-tool'; readonly since: number; readonly title: string }
  | { readonly type: 'waiting-for-person'; readonly since: number }
  | { readonly type: 'retrying'; readonly since: number; readonly count: number }
  /** Of the connection: a request that is no turn. */
  | { readonly type: 'waiting-for-answer'; readonly since: number; readonly method: string }
  | { readonly type: 'ended' };

/** How a turn really ended. */
export interface TurnOutcome {
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'cut-short' | 'unanswered';
  readonly at: number;
  /** In milliseconds. */
  readonly took: number;
  /** What went wrong. */
  readonly why?: string;
}

/** One diagnosis, as it is shown beside a session. */
export interface DiagnosisSummary {
  readonly code: DiagnosisCode;
  readonly level: Level;
  readonly what: string;
  readonly at: number;
}

/** One line about a session or the connection: what it does, how its last turn really ended, and the worst diagnosis. */
export interface SessionSummary {
  readonly activity: Activity;
  readonly lastTurn?: TurnOutcome;
  /** Since its latest turn began; the connection's is the worst of these, and of what is of no session. */
  readonly worst?: DiagnosisSummary | undefined;
}

/** `running npm test, 12 s` or `idle; last turn failed after 24 s: …`: the summary as text for a person. */
export function describeActivity({ activity, lastTurn, worst }: SessionSummary, now: number): string {
  const doing = describeDoing(activity, now);
  if (activity.type !== 'idle' && activity.type !== 'ended') return doing;
  const hasWhy = lastTurn?.why !== undefined;
  return [
    doing,
    ...(lastTurn ? [describeLast(lastTurn)] : []),
    ...(worst && !hasWhy ? [`${worst.level}: ${oneLine(worst.what, 160)}`] : []),
  ].join('; ');
}

function describeDoing(activity: Activity, now: number): string {
  switch (activity.type) {
    case 'idle':
      return 'idle';
    case 'ended':
      return 'ended';
    case 'waiting-for-model':
      return `waiting for the model${lasting(activity.since, now)}`;
    case 'answering':
      return `answering${lasting(activity.since, now)}`;
    case 'running-tool':
      return `running ${oneLine(activity.title, 80)}${lasting(activity.since, now)}`;
    case 'waiting-for-person':
      return `waiting for permission${lasting(activity.since, now)}`;
    case 'retrying':
      return `retrying (${activity.count})${lasting(activity.since, now)}`;
    case 'waiting-for-answer':
      return `waiting for the answer to ${oneLine(activity.method, 60)}${lasting(activity.since, now)}`;
  }
}

/** Less than a second is not worth a word. */
function lasting(since: number, now: number): string {
  return now - since < 1000 ? '' : `, ${duration(Math.floor((now - since) / 1000) * 1000)}`;
}

function describeLast({ outcome, took, why }: TurnOutcome): string {
  const ended = {
    completed: 'last turn took',
    failed: 'last turn failed after',
    cancelled: 'last turn was cancelled after',
    'cut-short': 'last turn was cut short after',
    unanswered: 'last turn was never answered, for',
  }[outcome];
  return `${ended} ${duration(took)}${why === undefined ? '' : `: ${oneLine(why, 160)}`}`;
}
