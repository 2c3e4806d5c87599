import { setOf } from '../../../work/failures/commandLine';
import type { ToolCall } from '../../../work/tools/toolCall';
import { oneLine } from '../../../text/text';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { Found } from '../../rule';
import type { Attempt } from './attempt';
import { attemptsOf, commandLineOf, writtenFile } from './attempt';
import type { CallCause } from './callCause';
import { callCause, commonCause, reasonIn } from './callCause';
import type { FailedCall } from './failedCall';
import { listOf, placeOf, toolFinding } from './toolEnd';

const maxReason = 200;
/** What these do isn't what the user asked for. */
const preparing = setOf('mkdir rmdir rm touch chmod chown');

/** Why a turn didn't reach what it was for, although the agent ended it as usual. */
export interface FailedAim {
  /** The calls that show it. */
  readonly calls: readonly FailedCall[];
  readonly found: Found;
}

/** What a turn has changed. */
export interface Changes {
  /** When the latest call that changed files began, in milliseconds since the epoch; `-Infinity` if none did. */
  lastAt: number;
}

/** Whether a call that succeeded changed files. */
export function changesFiles(tool: ToolCall): boolean {
  return areChanges(
    tool,
    attemptsOf(tool, false).filter(({ program }) => !preparing.has(program)),
  );
}

/**
 * Whether the last attempts at changing files all failed, or calls failed for a cause that the agent can't remove. That the answer admits it doesn't
 * help the user.
 * @param open the failed calls that neither succeeded later nor were meant to fail
 */
export function failedAim(open: readonly FailedCall[], changes: Changes): FailedAim | undefined {
  const tries = open.filter((call) => areChanges(call.tool, call.attempts) && call.at >= changes.lastAt);
  return ofTries(tries, open, changes.lastAt > -Infinity) ?? ofCause(open, changes);
}

function ofTries(
  tries: readonly FailedCall[],
  open: readonly FailedCall[],
  hasChanged: boolean,
): FailedAim | undefined {
  const cause = commonCause(tries);
  const calls = open.filter((call) => tries.includes(call) || (cause && callCause(call)?.key === cause.key));
  if (tries.length === 0 || calls.length < (cause?.least ?? 2)) return undefined;
  const last = calls.findLast((call) => cause && callCause(call)) ?? calls.at(-1);
  const reason = last === undefined ? '' : oneLine(reasonIn(last, cause), maxReason);
  const all = hasChanged
    ? t('The last {0} attempts to change files failed', calls.length)
    : t('No file was changed: {0} of {0} attempts failed', calls.length);
  return { calls, found: finding(calls, cause, all, reason) };
}

/** The calls that failed for the same cause, if there are enough of them. */
function ofCause(open: readonly FailedCall[], { lastAt }: Changes): FailedAim | undefined {
  const known = open
    .map((call) => ({ call, cause: callCause(call) }))
    .filter(({ call, cause }) => call.at >= lastAt || cause?.isOfFiles !== true);
  for (const { cause } of known) {
    const calls = known.flatMap((one) => (one.cause?.key === cause?.key ? one.call : []));
    const last = calls.at(-1);
    if (!cause || !last || calls.length < cause.least) continue;
    const all = t('{0} tool calls failed', calls.length);
    return { calls, found: finding(calls, cause, all, oneLine(reasonIn(last, cause), maxReason)) };
  }
  return undefined;
}

function finding(calls: readonly FailedCall[], cause: CallCause | undefined, all: Words, reason: string): Found {
  const [first] = calls;
  const own = calls.length === 1 && first ? toolFinding(first.tool) : undefined;
  const why = cause ? t('{0} · {1}', all, cause.short) : all;
  const said = reason === '' ? why : t('{0}: {1}', why, reason);
  return {
    code: 'tool-failed',
    level: 'warning',
    what: own?.what ?? t('{0} ({1})', said, listOf(calls, calls.length)),
    cause: cause?.short ?? own?.cause ?? t('nothing changed'),
    advice: cause?.advice ?? t('See why they failed, then ask again.'),
    key: `aim ${cause?.key ?? ''}`,
    ...placeOf(calls),
  };
}

/** Whether a call is to change files. What compilers and tests write is only their result. */
function areChanges(tool: ToolCall, attempts: readonly Attempt[]): boolean {
  if (attempts.some(({ purpose }) => purpose === 'edit' || purpose === 'files')) return true;
  const line = commandLineOf(tool);
  return line !== undefined && attempts.every(({ purpose }) => purpose === 'look') && writtenFile(line) !== undefined;
}
