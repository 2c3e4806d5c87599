import { tellingLines } from '../../protocols/stderr/tellingLines';
import { quotedOf } from './endCause';
import { missingThing } from './missingThing';

/** How an older server says that it had waited for `initialize`. */
const outOfOrder = /\bserver\/discover\b|\b(?:expect\w*|before|until|not)\b.{0,40}\binitiali[sz]/i;
/** How to start it: nothing that it was asked matters to one that says so. */
const usage = /^\W*usage:/i;

/**
 * Whether a server that ended when it was asked for `server/discover` may have ended for that, and not for a reason of its own: only then may
 * another start help.
 * @param stderr its newest lines
 * @param stdout those that were no messages
 */
export function mayBeRefusal(
  exit: { readonly code: number | null; readonly signal: string | null },
  stderr: readonly string[],
  stdout: readonly string[],
): boolean {
  if (exit.signal !== null) return false;
  if (exit.code === 0) return true;
  if ([...stderr, ...stdout].some((line) => usage.test(line))) return false;
  const told = tellingLines(stderr);
  const quoted = quotedOf(told, tellingLines(stdout));
  const reason = quoted?.isReason === true ? quoted : undefined;
  if (missingThing(exit, reason?.line, told) !== undefined) return false;
  return reason === undefined || outOfOrder.test(reason.words);
}
