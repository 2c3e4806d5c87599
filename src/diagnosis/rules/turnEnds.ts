import { oneLine, duration } from '../../log/text';
import type { Conversation } from '../conversation';
import { errorText } from '../errorText';
import { adviceFor, classOfError, classOfText } from '../failureClass';
import { lastWords } from '../lastWords';
import { loginAdvice } from '../loginAdvice';
import { tellingLines } from '../../protocols/stderr/tellingLines';
import { readsLikeError } from '../errorProse';
import type { Finding } from '../diagnosis';
import type { Report, Rule } from '../rule';
import type { Seen, TurnEndFact } from '../seen';
import type { RpcError } from '../../protocols/jsonrpc/rpcError';
import { lineOf } from '../seen';
import type { EndedTurn } from '../turn';
import { afterTime } from '../turn';
import { authCodeOf } from '../codes';

type TurnFinding = Pick<Finding, 'code' | 'level' | 'what' | 'advice'>;

/** JSON-RPC's and ACP's code for a request that was cancelled. */
const requestCancelled = -32800;

/** How a turn really ended, whatever its answer calls it. */
export class TurnEnds implements Rule {
  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'turn-end') return;
    const found = judge(seen.turn, conversation);
    if (found) report({ ...found, ...placeOf(seen) });
  }
}

function placeOf(seen: TurnEndFact): Pick<Finding, 'sessionId' | 'at' | 'raw'> {
  return { sessionId: seen.turn.sessionId, at: seen.event.t, raw: lineOf(seen) };
}

function judge(turn: EndedTurn, conversation: Conversation): TurnFinding | undefined {
  const after = afterTime(turn);
  if (turn.isUnanswered) {
    if (conversation.askedToEnd) return undefined;
    const when = turn.took === undefined ? '' : ` ${duration(turn.took)} after it began`;
    return failed(`the turn was never answered: the agent ended${when}`);
  }
  if (turn.error) return judgeError(turn.error, conversation, after);
  switch (turn.stopReason) {
    case 'refusal':
      return { code: 'turn-cut-short', level: 'warning', what: `the agent refused to go on${after} (refusal)` };
    case 'max_tokens':
      return cutShort('the model reached its limit of tokens', turn, 'Ask it to go on, or ask for less at once.');
    case 'max_turn_requests':
      return cutShort('the agent reached its limit of model requests in one turn', turn, 'Ask it to go on.');
    case 'error':
      return failed(`the turn failed${after}`);
    // A session that is closed cancels a turn too. Else nobody had asked for it: agents that swallow an error may call it so.
    case 'cancelled': {
      const isAsked = turn.cancel !== undefined || turn.isSessionClosed || conversation.askedToEnd;
      return isAsked ? undefined : judgeQuietEnd(turn, conversation);
    }
    default:
      return turn.cancel ? undefined : judgeQuietEnd(turn, conversation);
  }
}

function cutShort(why: string, turn: EndedTurn, advice: string): TurnFinding {
  return {
    code: 'turn-cut-short',
    level: 'warning',
    what: `the turn was cut short: ${why} (${turn.stopReason ?? ''})`,
    advice,
  };
}

function judgeError(error: RpcError, conversation: Conversation, after: string): TurnFinding | undefined {
  if (error.code === requestCancelled) return undefined;
  const failure = classOfError(error, authCodeOf(conversation.protocol));
  const what = `the turn failed${after}: ${errorText(error)}`;
  if (failure === 'authentication') {
    return { code: 'authentication-required', level: 'error', what, advice: loginAdvice(conversation, error.data) };
  }
  if (failure === 'missing-executable') {
    return { code: 'missing-executable', level: 'error', what, ...advised(adviceFor(failure, error.message)) };
  }
  return failed(what, adviceFor(failure, error.message));
}

/** A turn that ended as if all were well. */
function judgeQuietEnd(turn: EndedTurn, conversation: Conversation): TurnFinding | undefined {
  const { trouble } = turn;
  const said = turn.textSinceTrouble.trim();
  if (trouble && !turn.actedSinceTrouble && isNoMoreThan(said, trouble.message)) {
    return asFailed(turn, trouble.message, conversation, 'the turn failed');
  }
  if (turn.hasActed || (turn.tokens ?? 0) > 0) return undefined;
  const text = turn.text.trim();
  if (text !== '') {
    const isError = readsLikeError(text);
    if (isError === 'no') return undefined;
    const found = asFailed(turn, text, conversation, 'the turn seems to have failed');
    return isError === 'perhaps' ? { ...found, level: 'warning' } : found;
  }
  // A command of the agent's own may have nothing to say.
  if (turn.prompt.startsWith('/')) return undefined;
  const reason = reasonOnStderr(turn, conversation);
  if (reason !== undefined) {
    const what = `the turn ended without a word, after an error on standard error: "${reason}"`;
    return failed(what, adviceFor(classOfText(reason)));
  }
  return {
    code: 'empty-turn',
    level: 'warning',
    what: `the turn ended${afterTime(turn)} without a word and without a tool call (${turn.stopReason ?? 'no stop reason'})`,
    advice: 'Look into its own log: agents that swallow an error of the model end a turn like this.',
  };
}

/** What reads like a reason, and was written in this turn; with another open, nobody knows in which. */
function reasonOnStderr({ startedAt }: EndedTurn, conversation: Conversation): string | undefined {
  if (conversation.turns.values().length > 0) return undefined;
  const said = lastWords(tellingLines(conversation.stderrSince(startedAt)));
  return said?.isReason ? said.words : undefined;
}

function asFailed(turn: EndedTurn, why: string, conversation: Conversation, how: string): TurnFinding {
  const tried = turn.retries > 0 ? ` after ${turn.retries} ${turn.retries === 1 ? 'retry' : 'retries'}` : '';
  const what = `${how}${tried}, though its answer says ${turn.stopReason ?? 'nothing of it'}: "${oneLine(why, 300)}"`;
  const failure = classOfText(why);
  if (failure === 'authentication') {
    return { code: 'authentication-required', level: 'error', what, advice: loginAdvice(conversation) };
  }
  return failed(what, adviceFor(failure));
}

function failed(what: string, advice?: string): TurnFinding {
  return { code: 'failed-turn', level: 'error', what, ...advised(advice) };
}

function advised(advice: string | undefined): { advice?: string } {
  return advice === undefined ? {} : { advice };
}

/** Whether all that was said is the error itself, in about the same words. */
function isNoMoreThan(said: string, error: string): boolean {
  if (said === '' || error.includes(said)) return true;
  return said.includes(error.trim()) && said.length <= error.length + 200;
}
