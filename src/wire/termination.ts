import { zonedTime } from '../text/format';
import type { Translator, Words } from '../text/translator';
import { plainText } from '../text/text';
import { english, inEnglish, t, translated, verbatim } from '../text/translator';

/** The beginning and the end of a process's standard error, at most 50 lines each. */
export interface StderrExcerpt {
  readonly head?: string;
  /** Absent if the head is all. */
  readonly tail?: string;
  /** Whether lines in between, or parts of long lines, are missing. */
  readonly truncated: boolean;
  readonly totalLines: number;
}

/** Why a process ended unexpectedly, as far as known. */
export interface EndCause {
  /** Its own output, or a diagnosis: one line without a final period. */
  readonly what?: Words;
  /** The stream of its own output; absent if the words are ours. */
  readonly by?: 'stderr' | 'stdout';
  /** What to do, in one sentence. */
  readonly advice?: Words;
  /** In a few words, shown first in a row: `program not found`. */
  readonly short?: Words;
}

const reasons = ['completed', 'error', 'terminated'] as const;
const terminators = ['agent', 'client', 'system'] as const;

/** How a run, or one session of it, ended. */
export interface Termination {
  readonly reason: (typeof reasons)[number];
  /** `client` is Agent Logs; `system` is anything else but the agent. */
  readonly terminatedBy: (typeof terminators)[number];
  readonly message?: Words;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stderr?: StderrExcerpt;
  readonly cause?: EndCause;
  /** Nothing says how it ended: its journal breaks off. */
  readonly isUnknown?: true;
}

/**
 * How bad an end is: `failed` for an error, and for an end that neither the agent nor the user wanted; `unknown` if nothing says how it ended;
 * `exited` by itself without an error; `stopped` by us.
 */
export type EndSeverity = 'failed' | 'unknown' | 'exited' | 'stopped';

export function severityOfEnd({ reason, terminatedBy, isUnknown }: Termination): EndSeverity {
  if (isUnknown) return 'unknown';
  if (reason === 'error') return 'failed';
  if (terminatedBy === 'client') return 'stopped';
  return reason === 'completed' ? 'exited' : 'failed';
}

/** Whether an end has to be shown as a failure. */
export function isFailedEnd(termination: Termination): boolean {
  return severityOfEnd(termination) === 'failed';
}

/** Whether an agent failed by itself: we didn't end it. */
export function isCrash(termination: Termination): boolean {
  return termination.terminatedBy !== 'client' && isFailedEnd(termination);
}

export function isReason(value: unknown): value is Termination['reason'] {
  return reasons.some((reason) => reason === value);
}

export function isTerminator(value: unknown): value is Termination['terminatedBy'] {
  return terminators.some((terminator) => terminator === value);
}

/** In a word or two: `exit 1`, `SIGKILL`, or the message if there was no process, or we ended one that failed. */
export function shortEnd({ reason, terminatedBy, exitCode, signal, message }: Termination): Words {
  const isOurEnd = terminatedBy === 'client' || exitCode === 0 || signal === 'SIGTERM' || signal === 'SIGKILL';
  if (reason === 'error' && isOurEnd && message) return message;
  if (signal !== undefined) return verbatim(signal);
  return exitCode === undefined ? (message ?? t('ended')) : t('exit {0}', exitCode);
}

/** How it ended: `failed`, `was stopped`. */
export function describeReason({ reason, terminatedBy, isUnknown }: Termination): Words {
  if (isUnknown) return t('has no recorded end');
  if (terminatedBy === 'client') return reason === 'error' ? t('failed and was stopped') : t('was stopped');
  if (terminatedBy === 'system') return reason === 'error' ? t("couldn't continue") : t('was ended by another process');
  return reason === 'error' ? t('failed') : t('exited');
}

/** How and why it ended, without a final period: `exited with code 1. Last output: "…"`. */
export function withCause(how: Words, { what, by }: EndCause = {}): Words {
  if (!what) return how;
  if (by === undefined) return t('{0}: {1}', how, what);
  return by === 'stderr' ? t('{0}. Last output: "{1}"', how, what) : t('{0}. Output: "{1}"', how, what);
}

/** How and why it ended, and what to do, as sentences. */
export function advisedEnd(how: Words, cause?: EndCause): Words {
  const end = withCause(how, cause);
  return cause?.advice ? t('{0}. {1}', end, cause.advice) : t('{0}.', end);
}

/** Number of lines of stderr in a log entry. */
const lastLines = 10;

/** The last lines of standard error; '' if there are none. */
export function lastStderr({ stderr }: Termination): string {
  return (stderr?.tail ?? stderr?.head ?? '').split('\n').slice(-lastLines).join('\n');
}

/** Why a run ended, with its last output, as a log entry. Runs that ended normally have none. */
export function endEntry(name: string, termination: Termination): string | undefined {
  const { message, stderr, cause, exitCode, signal } = termination;
  const severity = severityOfEnd(termination);
  if (severity === 'stopped' || severity === 'exited') return undefined;
  const how = inEnglish(withCause(message ?? shortEnd(termination), cause)).replace(/\.$/, '');
  const advice = cause?.advice ? ` ${inEnglish(cause.advice)}` : '';
  const end = `[agent] ${name} ${inEnglish(describeReason(termination))}: ${how}.${advice}`;
  if (stderr !== undefined) return `${end} Standard error ended with:\n${lastStderr(termination)}`;
  // An agent that wasn't started, or runs elsewhere, has none.
  return exitCode === undefined && signal === undefined ? end : `${end} Standard error was empty.`;
}

/**
 * Everything that is known about an end, as text of several lines.
 * @param at when it ended, in milliseconds since the epoch
 */
export function describeTermination(
  name: string,
  termination: Termination,
  at?: number,
  l10n: Translator = english,
): string {
  const { message, exitCode, signal, stderr, cause = {} } = termination;
  const fields: readonly (readonly [name: string, value: string | undefined])[] = [
    [l10n.t('Ended:'), at === undefined ? undefined : zonedTime(at)],
    [l10n.t('Message:'), message && translated(message, l10n)],
    [l10n.t('Exit code:'), exitCode === undefined ? undefined : String(exitCode)],
    [l10n.t('Signal:'), signal],
    [l10n.t('Why:'), cause.what && describeCause(translated(cause.what, l10n), cause, l10n)],
    [l10n.t('What to do:'), cause.advice && translated(cause.advice, l10n)],
  ];
  const text = [
    `${name} ${translated(describeReason(termination), l10n)}.`,
    ...fields.flatMap(([label, value]) => (value === undefined ? [] : label.padEnd(12) + value)),
    ...(stderr === undefined ? [l10n.t('Standard error was empty.')] : describeStderr(stderr, l10n)),
  ].join('\n');
  return plainText(text);
}

function describeCause(what: string, { by }: EndCause, l10n: Translator): string {
  if (by === undefined) return what;
  return by === 'stderr' ? l10n.t('Last output: "{0}"', what) : l10n.t('Output: "{0}"', what);
}

function describeStderr({ head, tail, truncated, totalLines }: StderrExcerpt, l10n: Translator): string[] {
  const lines = totalLines === 1 ? l10n.t('Standard error, 1 line:') : l10n.t('Standard error, {0} lines:', totalLines);
  return [
    truncated ? l10n.t('Standard error, {0} lines (shortened):', totalLines) : lines,
    ...(head === undefined ? [] : ['', head]),
    ...(tail === undefined ? [] : [truncated ? '\n…\n' : '', tail]),
  ];
}

/** A termination for other extensions: with its texts in English. */
export function inEnglishTermination({
  message,
  cause,
  isUnknown: _isUnknown,
  ...termination
}: Termination): EnglishTermination {
  return {
    ...structuredClone(termination),
    ...(message && { message: inEnglish(message) }),
    ...(cause && { cause: inEnglishCause(cause) }),
  };
}

/** A `Termination` whose texts are strings. */
export interface EnglishTermination extends Omit<Termination, 'message' | 'cause' | 'isUnknown'> {
  readonly message?: string;
  readonly cause?: { readonly what?: string; readonly by?: 'stderr' | 'stdout'; readonly advice?: string };
}

function inEnglishCause({ what, by, advice }: EndCause): NonNullable<EnglishTermination['cause']> {
  return {
    ...(what && { what: inEnglish(what) }),
    ...(by && { by }),
    ...(advice && { advice: inEnglish(advice) }),
  };
}

/** A termination as in exports (sandbox-agent's `session.ended`): in snake_case, and with `daemon` for Agent Logs. */
export function wireTermination({ reason, terminatedBy, message, exitCode, signal, stderr }: Termination): object {
  return {
    reason,
    terminated_by: terminatedBy === 'client' ? 'daemon' : terminatedBy,
    ...(message && { message: inEnglish(message) }),
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...(signal !== undefined && { signal }),
    ...(stderr && {
      stderr: { head: stderr.head, tail: stderr.tail, truncated: stderr.truncated, total_lines: stderr.totalLines },
    }),
  };
}

/** Windows' reasons by exit code (MS-ERREF, section 2.3.1). */
const windowsReasons = new Map([
  [0xc0000005, 'access violation'],
  [0xc0000017, 'out of memory'],
  [0xc000001d, 'illegal instruction'],
  [0xc0000094, 'division by zero'],
  [0xc00000fd, 'stack overflow'],
  [0xc0000135, 'a DLL is missing'],
  [0xc0000139, 'a DLL has another version'],
  [0xc000013a, 'Ctrl+C'],
  [0xc0000142, 'a DLL failed to initialize'],
  [0xc0000374, 'heap corruption'],
  [0xc0000409, 'aborted'],
  [0xe0434352, 'unhandled .NET exception'],
  [0xe06d7363, 'unhandled C++ exception'],
]);

/** An exit code as people search for it. Windows' codes have 32 bits: they are negative numbers, or known in hexadecimal. */
export function describeExitCode(code: number): string {
  const unsigned = code >>> 0;
  if (code >= 0 && code < 0x80000000) return String(code);
  if (unsigned >= 0xffff0000) return String(unsigned - 0x100000000);
  const reason = windowsReasons.get(unsigned);
  return `0x${unsigned.toString(16).toUpperCase()}${reason === undefined ? '' : ` (${reason})`}`;
}
