/** The beginning and the end of a process's standard error, at most 50 lines each. */
export interface StderrExcerpt {
  readonly head?: string;
  /** Absent where the head is all there is. */
  readonly tail?: string;
  /** Whether lines between the two, or parts of long lines, are missing. */
  readonly truncated: boolean;
  readonly totalLines: number;
}

/** Why a process ended without being asked to, if that was found out. */
export interface EndCause {
  /** Its own words, or what was found: one line, without a full stop at its end. */
  readonly what?: string;
  /** Where its own words are from; absent if they aren't its own. */
  readonly by?: 'stderr' | 'stdout';
  /** What to do about it, in a sentence. */
  readonly advice?: string;
  /** The same in a few words, as a row shows it first: `program not found`. Absent if nothing is known but how it ended. */
  readonly short?: string;
}

const reasons = ['completed', 'error', 'terminated'] as const;
const terminators = ['agent', 'client', 'system'] as const;

/** How a run, or one session of it, ended. */
export interface Termination {
  readonly reason: (typeof reasons)[number];
  /** `client` is us; `system` is anybody else but the agent. */
  readonly terminatedBy: (typeof terminators)[number];
  readonly message?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stderr?: StderrExcerpt;
  readonly cause?: EndCause;
}

/** Whether an agent ended without being asked to. */
export function isCrash({ terminatedBy, reason }: Termination): boolean {
  return terminatedBy !== 'client' && reason !== 'completed';
}

export function isReason(value: unknown): value is Termination['reason'] {
  return reasons.some((reason) => reason === value);
}

export function isTerminator(value: unknown): value is Termination['terminatedBy'] {
  return terminators.some((terminator) => terminator === value);
}

/** What ended it, in a word or two: `exit 1`, `SIGKILL`, or the message if there was no process, or we ended one that failed. */
export function shortEnd({ reason, terminatedBy, exitCode, signal, message }: Termination): string {
  const isOurEnd = terminatedBy === 'client' || exitCode === 0 || signal === 'SIGTERM' || signal === 'SIGKILL';
  if (reason === 'error' && isOurEnd && message !== undefined) return message;
  if (signal !== undefined) return signal;
  return exitCode === undefined ? (message ?? 'ended') : `exit ${exitCode}`;
}

/** What ended it and why, for a person. */
export function describeReason({ reason, terminatedBy }: Termination): string {
  if (terminatedBy === 'client') return reason === 'error' ? 'failed and was stopped' : 'was stopped';
  if (terminatedBy === 'system') return reason === 'error' ? 'could not go on' : 'was ended by something else';
  return reason === 'error' ? 'failed' : 'ended by itself';
}

/** Why it ended, as what follows how it ended in a text for a person, to its end: `. It said last: "…". Do this.` */
export function causeText({ what, by, advice }: EndCause = {}): string {
  const words = what === undefined ? '' : by === undefined ? `: ${what}` : `. ${said(by)}: "${what}"`;
  return `${words}.${advice === undefined ? '' : ` ${advice}`}`;
}

function said(by: 'stderr' | 'stdout'): string {
  return by === 'stderr' ? 'It said last' : 'It printed';
}

/** How many of the last lines of standard error an entry tells. */
const lastLines = 10;

/** Why a run ended, with its last output, as one log entry. A run that ended normally needs none. */
export function endEntry(name: string, termination: Termination): string | undefined {
  const { reason, terminatedBy, message, stderr, cause, exitCode, signal } = termination;
  if (reason !== 'error' && terminatedBy !== 'system') return undefined;
  const lines = (stderr?.tail ?? stderr?.head ?? '').split('\n').slice(-lastLines);
  const how = (message ?? shortEnd(termination)).replace(/\.$/, '');
  const end = `[agent] ${name} ${describeReason(termination)}: ${how}${causeText(cause)}`;
  if (stderr !== undefined) return `${end} Standard error ended with:\n${lines.join('\n')}`;
  // What was never started, or is at another place, has none.
  return exitCode === undefined && signal === undefined ? end : `${end} Standard error was empty.`;
}

/**
 * All that is known of an end, as text of several lines.
 * @param at when it ended, in milliseconds since the epoch
 */
export function describeTermination(name: string, termination: Termination, at?: number): string {
  const { message, exitCode, signal, stderr, cause } = termination;
  return [
    `${name} ${describeReason(termination)}.`,
    ...(at === undefined ? [] : [`Ended:      ${new Date(at).toISOString()}`]),
    ...(message === undefined ? [] : [`Message:    ${message}`]),
    ...(exitCode === undefined ? [] : [`Exit code:  ${exitCode}`]),
    ...(signal === undefined ? [] : [`Signal:     ${signal}`]),
    ...(cause?.what === undefined
      ? []
      : [`Why:        ${cause.by === undefined ? cause.what : `${said(cause.by).toLowerCase()}: "${cause.what}"`}`]),
    ...(cause?.advice === undefined ? [] : [`What to do: ${cause.advice}`]),
    ...(stderr === undefined ? ['Standard error was empty.'] : describeStderr(stderr)),
  ].join('\n');
}

function describeStderr({ head, tail, truncated, totalLines }: StderrExcerpt): string[] {
  return [
    `Standard error, ${totalLines === 1 ? '1 line' : `${totalLines} lines`}${truncated ? ', of which some are left out' : ''}:`,
    ...(head === undefined ? [] : ['', head]),
    ...(tail === undefined ? [] : [truncated ? '\n…\n' : '', tail]),
  ];
}

/** A termination in the form of the wire and of exports (sandbox-agent's `session.ended`): snake_case, and `daemon` for us. */
export function wireTermination({ reason, terminatedBy, message, exitCode, signal, stderr }: Termination): object {
  return {
    reason,
    terminated_by: terminatedBy === 'client' ? 'daemon' : terminatedBy,
    ...(message !== undefined && { message }),
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...(signal !== undefined && { signal }),
    ...(stderr && {
      stderr: { head: stderr.head, tail: stderr.tail, truncated: stderr.truncated, total_lines: stderr.totalLines },
    }),
  };
}
