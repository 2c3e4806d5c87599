import { oneLine } from '../../log/text';
import type { JsonObject } from '../../protocols/json';
import type { Conversation } from '../conversation';
import { adviceFor, causeOf, classOfText } from '../failureClass';
import { readable } from '../errorText';
import type { Finding } from '../diagnosis';
import { loginAdvice } from '../loginAdvice';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

/** What one line of a stream tells of, before it has its place. */
export type StreamFinding = Pick<Finding, 'code' | 'level' | 'what'> &
  Partial<Pick<Finding, 'advice' | 'key' | 'cause'>>;

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

/**
 * A turn that failed, filed under what its words are about.
 * @param words in the agent's own words
 * @param reported what its result says, if that is something else
 */
export function failedTurn(words: string, conversation: Conversation, reported?: string): StreamFinding {
  const failure = classOfText(words);
  const why = oneLine(readable(words), 240).replace(/[.…\s]+$/, '');
  const [turn] = conversation.turns.values();
  const tried = turn && turn.retries > 0 ? ` after ${turn.retries} ${turn.retries === 1 ? 'retry' : 'retries'}` : '';
  const isLogin = failure === 'authentication';
  const how =
    isLogin && !/^\W*not (?:logged|signed) in/i.test(why) ? 'Not logged in: ' : isLogin ? '' : `Turn failed${tried}: `;
  const what = `${how}${why}${reported === undefined ? '' : `. (The agent reported \`${reported}\`.)`}`;
  const cause = causeOf(failure);
  const advice = isLogin ? loginAdvice(conversation, words) : adviceFor(failure, words);
  const code = isLogin ? 'authentication-required' : failure === 'missing-executable' ? failure : 'failed-turn';
  return { code, level: 'error', what, cause, ...(advice !== undefined && { advice }) };
}
