import type { Level } from '../log/level';
import type { Words } from '../log/translator';

/**
 * What can be wrong with a run, as far as its wire tells. A code is the `logger` of its records, and never changes its meaning.
 *
 * | code | what it says |
 * |---|---|
 * | `failed-turn` | a turn failed, however its answer calls it |
 * | `turn-cut-short` | a turn ended at a limit or by a refusal |
 * | `empty-turn` | a turn ended without a word and without a tool call |
 * | `tool-failed` | a tool failed, whatever its status says |
 * | `failed-request` | another request that matters was answered with an error |
 * | `retrying` | the agent tries again what failed |
 * | `rate-limited` | the model's provider has had enough for now |
 * | `model-fallback` | another model, or other settings for it, than were asked for |
 * | `authentication-required` | somebody has to log in |
 * | `version-not-spoken` | the two sides have no version of the protocol in common |
 * | `missing-executable` | a program that is needed is not there |
 * | `agent-ended` | the process ended, and nobody had asked it to |
 * | `slow-to-end` | the process did not end when it was asked to |
 * | `stdout-junk` | something else than messages on standard output |
 * | `malformed-message` | JSON that is no message of the protocol |
 * | `oversize-message` | a line too long to be read |
 * | `unanswered-request` | a request that waits for its answer for long |
 * | `silence` | a turn in which nothing has come for long, with nobody asked for anything |
 * | `cancel-ignored` | what was cancelled went on, or was not answered as cancelled |
 * | `unasked-log` | a log message that nobody asked for |
 * | `log-below-level` | a log message less severe than was asked for |
 * | `unknown-session` | a message for a session that was never opened |
 * | `unknown-response` | an answer to no open request |
 * | `protocol-violation` | a message that the protocol does not allow |
 */
export type DiagnosisCode =
  | 'failed-turn'
  | 'turn-cut-short'
  | 'empty-turn'
  | 'tool-failed'
  | 'failed-request'
  | 'retrying'
  | 'rate-limited'
  | 'model-fallback'
  | 'authentication-required'
  | 'version-not-spoken'
  | 'missing-executable'
  | 'agent-ended'
  | 'slow-to-end'
  | 'stdout-junk'
  | 'malformed-message'
  | 'oversize-message'
  | 'unanswered-request'
  | 'silence'
  | 'cancel-ignored'
  | 'unasked-log'
  | 'log-below-level'
  | 'unknown-session'
  | 'unknown-response'
  | 'protocol-violation';

/** One occurrence, as a rule finds it. */
export interface Finding {
  readonly code: DiagnosisCode;
  readonly level: Level;
  /** What, and why where that is known: one line, without a full stop at its end. */
  readonly what: string;
  /** The cause in a few words, as a row shows it first: `rate limited`, `exit 3 · npm test`. */
  readonly cause?: string | undefined;
  /** What to do about it, in a sentence, if that is known. */
  readonly advice?: Words;
  readonly sessionId?: string | undefined;
  /** What occurrences of the same trouble have in common beside code, level and session; the same for all by default. */
  readonly key?: string;
  /** It is true at its time only: what was not told of it then is not told later. */
  readonly isMomentary?: true;
  /** The same problem, which still lasts: it updates what rows show, and is no problem of its own. */
  readonly isUpdate?: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The line of the wire that shows it. */
  readonly raw?: string | undefined;
}

/** The `data` of a record of kind `diagnosis`. */
export interface DiagnosisData {
  readonly code: DiagnosisCode;
  /** How often it has occurred. */
  readonly count: number;
  /** When it first occurred, in milliseconds since the epoch. */
  readonly since: number;
  /** The records that show it: the first occurrence's and the latest's, by their `seq`. */
  readonly evidence: readonly number[];
  /** In English; the record's message ends with it. */
  readonly advice?: string;
  /** The same to be translated, if its text has arguments. */
  readonly adviceText?: Words;
}
