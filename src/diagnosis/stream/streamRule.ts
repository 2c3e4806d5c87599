import type { JsonObject } from '../../protocols/json';
import type { Conversation } from '../conversation';
import { adviceFor, classOfText } from '../failureClass';
import type { Finding } from '../diagnosis';
import { loginAdvice } from '../loginAdvice';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

/** What one line of a stream tells of, before it has its place. */
export type StreamFinding = Pick<Finding, 'code' | 'level' | 'what'> &
  Partial<Pick<Finding, 'past' | 'advice' | 'key' | 'cause'>>;

/** A rule on the lines of an agent's stream, one by one. */
export abstract class StreamRule implements Rule {
  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'object' || seen.dir !== 'a2c') return;
    const { msg, sessionId } = seen;
    for (const found of this.judge(msg, conversation)) {
      if (found.level === 'error' || found.code === 'turn-cut-short') conversation.hasToldFailure = true;
      report({ ...found, sessionId, at: seen.event.t, raw: seen.event.line });
    }
  }

  protected abstract judge(msg: JsonObject, conversation: Conversation): Iterable<StreamFinding>;
}

/** A turn that failed, filed under what its words tell of. */
export function failedTurn(what: string, words: string, conversation: Conversation): StreamFinding {
  const failure = classOfText(words);
  if (failure === 'authentication') {
    return { code: 'authentication-required', level: 'error', what, advice: loginAdvice(conversation) };
  }
  const advice = adviceFor(failure, words);
  const code = failure === 'missing-executable' ? failure : 'failed-turn';
  return { code, level: 'error', what, ...(advice !== undefined && { advice }) };
}
