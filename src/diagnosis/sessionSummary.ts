import { duration, oneLine, withoutMarks } from '../log/text';
import type { Level } from '../log/level';
import type { InterpreterSink } from '../protocols/interpreter';
import type { DiagnosisCode } from './diagnosis';
import type { Asking } from '../protocols/activity/activity';

/** What a session, or the connection, is doing. Times are in milliseconds since the epoch. */
export type Activity =
  | { readonly type: 'idle' }
  | { readonly type: 'waiting-for-model'; readonly since: number }
  | { readonly type: 'answering'; readonly since: number }
  | { readonly type: 'running-tool'; readonly since: number; readonly title: string }
  | { readonly type: 'waiting-for-person'; readonly since: number; readonly asking: Asking }
  | { readonly type: 'compacting'; readonly since: number }
  /** `max`: how many retries there will be, if known. `cause`: what they are for, such as `rate limited`. */
  | {
      readonly type: 'retrying';
      readonly since: number;
      readonly count: number;
      readonly max?: number;
      readonly cause?: string;
    }
  /** Of the connection: a request that is no turn. */
  | { readonly type: 'waiting-for-answer'; readonly since: number; readonly method: string }
  | { readonly type: 'ended' };

/** How a turn really ended. */
export interface TurnOutcome {
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'cut-short' | 'stopped' | 'unanswered';
  readonly at: number;
  /** In milliseconds, where it is known. */
  readonly took: number | undefined;
  /** What went wrong. */
  readonly why?: string;
  /** The same in a few words, such as `rate limited`. */
  readonly cause?: string;
}

/** One diagnosis, as it is shown beside a session. */
export interface DiagnosisSummary {
  readonly code: DiagnosisCode;
  readonly level: Level;
  readonly what: string;
  /** The same in a few words, such as `rate limited`. */
  readonly cause?: string;
  readonly at: number;
}

/** One line about a session or the connection: what it does, how its last turn really ended, and the worst diagnosis. */
export interface SessionSummary {
  readonly activity: Activity;
  readonly lastTurn?: TurnOutcome;
  /** Since its latest turn began; the connection's is the worst of these, and of what is of no session. */
  readonly worst?: DiagnosisSummary | undefined;
}

/** Takes what an interpreter has read, and how each session does. */
export interface DiagnosisSink extends InterpreterSink {
  /** Called when a summary has changed; without a session it is the whole run's. */
  summary?(sessionId: string | undefined, summary: SessionSummary): void;
}

/** Whether something goes on that may last. */
export function isGoingOn({ type }: Activity): boolean {
  return type !== 'idle' && type !== 'ended';
}

/**
 * `running for 12 s: npm test`, `rate limited · turn failed after 24 s`: the summary as text for a person. The cause comes first, as a row is
 * cut at its end.
 */
export function describeActivity({ activity, lastTurn, worst }: SessionSummary, now: number): string {
  if (isGoingOn(activity)) return describeDoing(activity, now);
  // A turn that was cancelled takes its tools with it: that is no news.
  const isNews = worst && lastTurn?.why === undefined && !(lastTurn?.outcome === 'cancelled' && isMinor(worst));
  const wrong = isNews ? [worst.cause ?? short(worst.what)] : [];
  const last = lastTurn ? [describeLast(lastTurn)] : [];
  const told = lastTurn?.outcome === 'completed' ? [...wrong, ...last] : [...last, ...wrong];
  return told.join(' · ') || activity.type;
}

function isMinor({ code, level }: DiagnosisSummary): boolean {
  return code === 'tool-failed' && level === 'notice';
}

function describeDoing(activity: Activity, now: number): string {
  switch (activity.type) {
    case 'idle':
    case 'ended':
      return activity.type;
    case 'waiting-for-model':
      return `waiting${lasting(activity, now)} for the model`;
    case 'answering':
      return `answering${lasting(activity, now, ' for')}`;
    case 'running-tool':
      return `running${lasting(activity, now, ' for')}: ${oneLine(activity.title, 80)}`;
    case 'waiting-for-person':
      return `waiting${lasting(activity, now)} for ${activity.asking === 'permission' ? 'permission' : 'an answer'}`;
    case 'compacting':
      return `compacting the conversation${lasting(activity, now, ' for')}`;
    case 'retrying':
      return `${activity.cause === undefined ? '' : `${activity.cause} · `}${retry(activity)}${lasting(activity, now, ',')}`;
    case 'waiting-for-answer':
      return `waiting${lasting(activity, now)} for the answer to ${oneLine(activity.method, 60)}`;
  }
}

function retry({ count, max }: { readonly count: number; readonly max?: number }): string {
  return `retry ${count}${max === undefined || max < count ? '' : ` of ${max}`}`;
}

/** Less than a second is not worth a word. */
function lasting({ since }: { readonly since: number }, now: number, word = ''): string {
  return now - since < 1000 ? '' : `${word} ${duration(Math.floor((now - since) / 1000) * 1000)}`;
}

const endings: Readonly<Record<TurnOutcome['outcome'], string>> = {
  completed: 'turn ended',
  failed: 'turn failed',
  cancelled: 'turn cancelled',
  'cut-short': 'turn cut short',
  stopped: 'turn stopped',
  unanswered: 'turn never finished',
};

/** `rate limited · turn failed after 24 s`: what went wrong, how it ended, and after what time. */
function describeLast({ outcome, took, why, cause }: TurnOutcome): string {
  const ended = `${endings[outcome]}${took === undefined ? '' : ` after ${duration(took)}`}`;
  if (why === undefined) return ended;
  if (cause === undefined || ended.includes(cause)) return short(why);
  return `${cause} · ${ended}`;
}

function short(what: string): string {
  return oneLine(withoutMarks(what), 160);
}
