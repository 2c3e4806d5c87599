import { boundedJson } from '../../log/boundedJson';
import { oneLine } from '../../log/text';
import { BoundedMap } from '../../protocols/boundedMap';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf, textOf } from '../../protocols/json';
import type { Conversation } from '../conversation';
import { causeOf, classOfText } from '../failureClass';
import type { Report, Rule } from '../rule';
import type { NotificationFact } from '../../protocols/facts';
import type { Seen } from '../seen';
import { tellsOfFallback } from '../troubleText';
import { addTrouble } from '../turn';

const maxSessions = 200;

/**
 * What an update says has gone wrong outside of what ACP has a place for: an `error` object in `_meta` (codex sends its retries so), a
 * notice or a warning in the chat that tells of another model.
 */
export class TroubleInUpdates implements Rule {
  /** The latest error of a session, as JSON: agents send the same `_meta` again and again. */
  private readonly latest = new BoundedMap<string | undefined, string>(maxSessions);

  looksAt(method: string): boolean {
    return method === 'session/update';
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'notification' || seen.dir !== 'a2c' || seen.method !== 'session/update') return;
    if (conversation.isReplaying(seen.sessionId)) return;
    const update = objectOf(seen.params['update']);
    for (const error of errorsIn(update)) {
      if (!this.isRepeated(error, seen.sessionId)) this.seeError(seen, error, conversation, report);
    }
    const told = warningOf(update);
    if (told === undefined || !tellsOfFallback(told) || conversation.hasChosenModel(seen.event.t)) return;
    report({ code: 'model-fallback', level: 'notice', what: oneLine(told, 300), key: told, ...placeOf(seen) });
  }

  /** An error of a turn of the agent's own is new only once. */
  private isRepeated(error: JsonObject, sessionId: string | undefined): boolean {
    if (error['turnId'] === undefined) return false;
    const json = boundedJson(error, 2000);
    if (this.latest.get(sessionId) === json) return true;
    this.latest.set(sessionId, json);
    return false;
  }

  private seeError(seen: NotificationFact, error: JsonObject, conversation: Conversation, report: Report): void {
    const message = textOf(error['message']) ?? 'an error without a message';
    const details = textOf(error['additionalDetails']) ?? textOf(error['details']);
    const willRetry = error['willRetry'] === true;
    const turn = conversation.turns.get(seen.sessionId ?? '');
    const words = details ?? message;
    if (turn) {
      addTrouble(turn, { message: words, isFinal: !willRetry });
      if (willRetry) turn.retries++;
      return;
    }
    // In a turn, its end tells what became of it.
    if (!willRetry) return;
    const failure = classOfText(`${message} ${words}`);
    const code = failure === 'rate-limit' ? 'rate-limited' : 'retrying';
    const what = `Retrying: ${oneLine(words, 240)}`;
    report({ code, level: 'notice', what, cause: causeOf(failure), ...placeOf(seen) });
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
