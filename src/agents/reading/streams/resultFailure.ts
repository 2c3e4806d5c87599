import type { TurnFailure } from '../../../work/failures/turnFailure';
import type { JsonObject } from '../../../text/json';
import { arrayOf, objectOf, textOf } from '../../../text/json';

/**
 * What a `result` line says went wrong: Claude Code's (`is_error`, `subtype`), Qwen Code's after it, and Gemini's (`status`). `success` is
 * no proof: a turn that failed for lack of a login says so too.
 * @param reported the error that an earlier line of the turn reported
 */
export function resultFailure(event: JsonObject, reported: string | undefined): TurnFailure | undefined {
  const { subtype, status } = event;
  const limit = typeof subtype === 'string' ? /^error_max_(\w+)$/.exec(subtype)?.[1] : undefined;
  if (limit !== undefined) return { type: 'limit', limit };
  const hasFailed =
    event['is_error'] === true || status === 'error' || (typeof subtype === 'string' && subtype.startsWith('error'));
  if (!hasFailed) return reported === undefined ? undefined : { type: 'cut-short', words: reported };
  const words =
    textOf(event['result']) ??
    textOf(objectOf(event['error'])['message']) ??
    textOf(event['error']) ??
    textOf(arrayOf(event['errors'])[0]) ??
    reported ??
    textOf(subtype) ??
    textOf(status);
  return { type: 'failed', words, saysSuccess: subtype === 'success' };
}
