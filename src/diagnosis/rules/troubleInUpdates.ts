import { oneLine } from '../../log/text';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf, textOf } from '../../protocols/json';
import type { Conversation } from '../conversation';
import { adviceFor, classOfText } from '../failureClass';
import type { Report, Rule } from '../rule';
import type { NotificationFact } from '../../protocols/facts';
import type { Seen } from '../seen';
import { tellsOfFallback } from '../troubleText';
import { addTrouble } from '../turn';

/**
 * What an update says has gone wrong outside of what ACP has a place for: an `error` object in `_meta` (codex sends its retries so), a
 * notice or a warning in the chat that tells of another model.
 */
export class TroubleInUpdates implements Rule {
  looksAt(method: string): boolean {
    return method === 'session/update';
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'notification' || seen.dir !== 'a2c' || seen.method !== 'session/update') return;
    const update = objectOf(seen.params['update']);
    for (const error of errorsIn(update)) this.seeError(seen, error, conversation, report);
    const told = warningOf(update);
    if (told === undefined || !tellsOfFallback(told)) return;
    report({ code: 'model-fallback', level: 'notice', what: oneLine(told, 400), key: told, ...placeOf(seen) });
  }

  private seeError(seen: NotificationFact, error: JsonObject, conversation: Conversation, report: Report): void {
    const message = textOf(error['message']) ?? 'an error without a message';
    const details = textOf(error['additionalDetails']) ?? textOf(error['details']);
    const willRetry = error['willRetry'] === true;
    const turn = conversation.turns.get(seen.sessionId ?? '');
    if (turn) {
      addTrouble(turn, { message: details ?? message, isFinal: !willRetry });
      if (willRetry) turn.retries++;
    }
    if (!willRetry) return;
    const what = `${oneLine(message, 200)}${details === undefined ? '' : `: "${oneLine(details, 300)}"`}`;
    const isLimit = classOfText(`${message} ${details ?? ''}`) === 'rate-limit';
    const advice = isLimit ? adviceFor('rate-limit') : undefined;
    report({
      code: isLimit ? 'rate-limited' : 'retrying',
      level: 'warning',
      what,
      past: `it had to try again: ${what}`,
      ...(advice !== undefined && { advice }),
      ...placeOf(seen),
    });
  }
}

/** An error beside a tool call is the tool's, and not the turn's. */
function errorsIn(update: JsonObject): JsonObject[] {
  if (update['sessionUpdate'] === 'tool_call' || update['sessionUpdate'] === 'tool_call_update') return [];
  const metas = Object.values(objectOf(update['_meta'])).slice(0, 20);
  return metas.map((meta) => objectOf(meta)['error']).filter(isObject);
}

/** The text of a notice, or of a chat message that begins like one: without the capability for notices, agents send it so. */
function warningOf(update: JsonObject): string | undefined {
  if (update['sessionUpdate'] === 'notice') {
    return [update['title'], update['description']].flatMap((part) => textOf(part) ?? []).join(': ');
  }
  if (update['sessionUpdate'] !== 'agent_message_chunk') return undefined;
  const text = textOf(objectOf(update['content'])['text']);
  return text !== undefined && /^\W{0,4}warning\b/i.test(text) ? text : undefined;
}

function placeOf(seen: NotificationFact): { sessionId: string | undefined; at: number; raw: string } {
  return { sessionId: seen.sessionId, at: seen.event.t, raw: seen.event.line };
}
