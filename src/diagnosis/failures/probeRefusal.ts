import { tellingLines } from '../../protocols/stderr/tellingLines';
import { quotedOf } from './endCause';
import { missingThing } from './missingThing';

/** How older servers say that they expect `initialize` first. */
const outOfOrder = /\bserver\/discover\b|\b(?:expect\w*|before|until|not)\b.{0,40}\binitiali[sz]/i;
/** A usage text: the server would exit whatever it was asked. */
const usage = /^\W*usage:/i;

/**
 * Whether a server may have exited because of `server/discover`. Only then can another start help.
 * @param stderr the newest lines of standard error
 * @param stdout the newest lines of standard output that aren't messages
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

/**
 * Whether an ACP agent may have exited because `initialize` offered version 2, or came twice.
 * @param hasAnswered whether it answered the offer, so that only the repeat can be the cause
 * @param printed the newest lines of standard error, and those of standard output that aren't messages
 */
export function refusesOffer(
  exit: { readonly signal: string | null },
  hasAnswered: boolean,
  printed: readonly string[],
): boolean {
  return exit.signal === null && (hasAnswered || printed.some((line) => /protocol[\s_]?version/i.test(line)));
}
