import type { Measure } from '../text/measure';
import type { Outcome } from '../work/outcome';
import { shownLine, withoutMarks } from '../text/text';
import type { Level } from '../text/level';
import type { RecordDraft } from '../text/record';
import type { LineRecord } from '../text/bytes/lineRecord';
import type { Translator, Words } from '../text/translator';
import { english, t, translated } from '../text/translator';
import { causes } from './causes';
import type { DiagnosisCode, SettledProblem } from './diagnosis';
import type { Asking } from '../work/activity';
import type { SessionChange } from '../protocols/interpreter';
import type { Fact } from '../work/facts';
import type { Work } from '../work/work';

/** What a session or the connection is doing. Times are in milliseconds since the epoch. */
export type Activity =
  | { readonly type: 'idle' }
  | { readonly type: 'waiting-for-model'; readonly since: number }
  | { readonly type: 'answering'; readonly since: number }
  | { readonly type: 'running-tool'; readonly since: number; readonly title: string }
  /** `subject`: what the question is about, if it says so. */
  | {
      readonly type: 'waiting-for-person';
      readonly since: number;
      readonly asking: Asking;
      readonly subject?: string;
    }
  | { readonly type: 'compacting'; readonly since: number }
  /** `max`: maximum number of retries, if known. `cause`: the reason for them, such as `rate limited`. */
  | {
      readonly type: 'retrying';
      readonly since: number;
      readonly count: number;
      readonly max?: number;
      readonly cause?: Words;
    }
  /** Of the connection: a request other than a turn. */
  | { readonly type: 'waiting-for-answer'; readonly since: number; readonly method: string }
  | { readonly type: 'ended' };

export interface TurnOutcome {
  /** `refused`: cut short. `stopped`: we ended the agent. */
  readonly outcome: Outcome | 'stopped';
  readonly at: number;
  /** Duration in milliseconds, if known. */
  readonly took: number | undefined;
  /** What went wrong. */
  readonly why?: Words;
  /** The cause in a few words, such as `rate limited`. */
  readonly cause?: Words;
}

/** A diagnosis as shown next to a session. */
export interface DiagnosisSummary {
  readonly code: DiagnosisCode;
  readonly level: Level;
  readonly what: Words;
  /** The cause in a few words, such as `rate limited`. */
  readonly cause?: Words;
  readonly at: number;
}

/** One line about a session or the connection: its activity, how its last turn really ended, and its worst diagnosis. */
export interface SessionSummary {
  readonly activity: Activity;
  readonly lastTurn?: TurnOutcome;
  /** From `warning` up, since the latest turn began. The connection's is the worst of all sessions and of diagnoses without a session. */
  readonly worst?: DiagnosisSummary | undefined;
}

/** Receives what is read of a run, with its problems. */
export interface DiagnosisSink {
  /** A `LineRecord` that is kept would keep its whole chunk. */
  record(draft: RecordDraft | LineRecord): void;
  /** True if log messages may be passed as a `LineRecord`. Default: false, all are drafts. */
  readonly takesLines?: boolean;
  /** Number of the last record; 0 before the first. */
  readonly lastSeq: number;
  session(change: SessionChange): void;
  /** The facts of an event follow its records. */
  fact?(fact: Fact): void;
  /** Called when a summary has changed; without a session, it is that of the run. */
  summary?(sessionId: string | undefined, summary: SessionSummary): void;
  /** Called when a problem no longer holds, after the record that says so. */
  settled?(problem: SettledProblem): void;
  /** The run's work, which its readers feed. */
  readonly work: Work;
}

/** What a turn does. */
export type Ongoing = Exclude<Activity, { readonly type: 'idle' | 'ended' }>;

/** Whether the activity may continue for a while. */
export function isGoingOn(activity: Activity): activity is Ongoing {
  const { type } = activity;
  return type !== 'idle' && type !== 'ended';
}

/**
 * The summary as display text: `running for 12 s: npm test`, `rate limited · turn failed after 24 s`. The cause comes first, because rows are cut
 * at the end.
 */
export function describeActivity(summary: SessionSummary, now: number, l10n: Translator = english): string {
  const { activity, lastTurn, worst } = summary;
  if (isGoingOn(activity)) return describeDoing(activity, now, l10n);
  const isNews = worst && lastTurn?.why === undefined;
  const wrong = isNews ? [worst.cause ? translated(worst.cause, l10n) : short(worst.what, l10n)] : [];
  const last = lastTurn ? [describeLast(lastTurn, l10n)] : [];
  const parts = lastTurn?.outcome === 'ok' ? [...wrong, ...last] : [...last, ...wrong];
  return parts.join(' · ') || (activity.type === 'ended' ? l10n.t('ended') : l10n.t('idle'));
}

function describeDoing(activity: Ongoing, now: number, l10n: Translator): string {
  const waited = lasting(activity, now);
  switch (activity.type) {
    case 'waiting-for-model':
      return waited ? l10n.t('waiting {0} for the model', waited) : l10n.t('waiting for the model');
    case 'answering':
      return waited ? l10n.t('answering for {0}', waited) : l10n.t('answering');
    case 'running-tool': {
      const title = shownLine(activity.title, 80);
      return waited ? l10n.t('running for {0}: {1}', waited, title) : l10n.t('running: {0}', title);
    }
    case 'waiting-for-person': {
      const thing = translated(askedFor(activity.asking, activity.subject), l10n);
      return waited ? l10n.t('waiting for you for {0}: {1}', waited, thing) : l10n.t('waiting for you: {0}', thing);
    }
    case 'compacting':
      return waited ? l10n.t('compacting the conversation for {0}', waited) : l10n.t('compacting the conversation');
    case 'retrying': {
      const cause = activity.cause ? `${translated(activity.cause, l10n)} · ` : '';
      return `${cause}${describeRetry(activity, l10n)}${waited ? `, ${l10n.t('{0}', waited)}` : ''}`;
    }
    case 'waiting-for-answer': {
      const method = shownLine(activity.method, 60);
      return waited
        ? l10n.t('waiting {0} for the answer to {1}', waited, method)
        : l10n.t('waiting for the answer to {0}', method);
    }
  }
}

/** What the user is asked for: `permission for npm test`. */
export function askedFor(asking: Asking, subject: string | undefined): Words {
  if (asking === 'plan') return t('approval of its plan');
  if (subject === undefined) return asking === 'permission' ? t('a permission') : t('an answer');
  const about = shownLine(subject, 80);
  return asking === 'permission' ? t('permission for {0}', about) : t('an answer to “{0}”', about);
}

function describeRetry(
  { count, max = 0 }: { readonly count: number; readonly max?: number },
  l10n: Translator,
): string {
  return max < count ? l10n.t('retry {0}', count) : l10n.t('retry {0} of {1}', count, max);
}

/** In whole seconds; `undefined` for less than one. */
function lasting({ since }: { readonly since: number }, now: number): Measure | undefined {
  return now - since < 1000 ? undefined : { ms: Math.floor((now - since) / 1000) * 1000 };
}

/** `rate limited · turn failed after 24 s`: cause, outcome and duration. */
function describeLast({ outcome, took, why, cause }: TurnOutcome, l10n: Translator): string {
  const ended = describeEnding(outcome, took === undefined ? undefined : { ms: took }, l10n);
  if (why === undefined) return ended;
  // Some outcomes already name their cause.
  if (!cause || (cause.text === causes.cutShort.text && outcome === 'refused')) return short(why, l10n);
  return `${translated(cause, l10n)} · ${ended}`;
}

function describeEnding(outcome: TurnOutcome['outcome'], took: Measure | undefined, l10n: Translator): string {
  switch (outcome) {
    case 'ok':
    case 'unknown':
      return took === undefined ? l10n.t('turn ended') : l10n.t('turn ended after {0}', took);
    case 'error':
      return took === undefined ? l10n.t('turn failed') : l10n.t('turn failed after {0}', took);
    case 'cancelled':
      return took === undefined ? l10n.t('turn cancelled') : l10n.t('turn cancelled after {0}', took);
    case 'refused':
      return took === undefined ? l10n.t('turn cut short') : l10n.t('turn cut short after {0}', took);
    case 'stopped':
      return took === undefined ? l10n.t('turn stopped') : l10n.t('turn stopped after {0}', took);
    case 'unanswered':
      return took === undefined ? l10n.t('turn unfinished') : l10n.t('turn unfinished after {0}', took);
  }
}

function short(what: Words, l10n: Translator): string {
  return shownLine(withoutMarks(translated(what, l10n)), 160);
}
