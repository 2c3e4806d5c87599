import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { reaches } from '../../text/level';
import { oneLine } from '../../text/text';
import { requestCancelled } from '../../work/errorCodes';
import type { RpcError } from '../../work/rpcError';
import type { Conversation } from '../conversation/conversation';
import { readAnswer } from '../../work/failures/errorAnswer';
import { errorText, readable } from '../../work/failures/errorText';
import { causeOf, causes } from '../causes';
import { classOfError } from '../failures/errorClass';
import { classOfFailure, classOfText, generic } from '../../work/failures/failureClass';
import { isReport } from '../../work/failures/failurePatterns';
import { ofConnection } from '../../work/failures/ranking';
import { apology, maxExcuse, openCause, pendingReason, reasonInMeta, reasonOnStderr } from '../failures/turnCause';
import type { TurnFailed } from '../failures/turnFailure';
import { turnFailure } from '../failures/turnFailure';
import type { Findings, Found, Rule } from '../rule';
import { shortExit } from '../../protocols/lifecycle';
import { hookAdvice } from '../failures/calls/callCause';
import { abandonedRetries } from '../failures/abandonedRetries';
import { isFault } from '../../work/failures/fault';
import type { HookBlock } from '../../work/tools/hookBlock';
import type { EndedTurn, Trouble, Turn, TurnEnd } from '../../work/turn';
import { isRetrying } from '../../work/turn';

const maxWhy = 240;

/** How a turn really ended, whatever its response says: by its error first, by the agent's words last. */
export const turnEnds: Rule = {
  turnEnded: (end, conversation) => judgeTurnEnd(end, conversation),

  finished: ({ turns }) => turns.map(leftRetrying),
};

/** What is left of a turn that was retrying when the log ends. */
export function leftRetrying(turn: Turn): Found | undefined {
  return abandonedRetries(turn, t('The log ends'));
}

/** Whether a signal ended the process that isn't its own fault. */
function isKill(event: TurnEnd['event'] | undefined): boolean {
  return event?.dir === 'ev' && event.ev === 'exit' && event.signal !== null && !isFault(event.signal);
}

function exitIn(event: TurnEnd['event']): Words | undefined {
  return event.dir === 'ev' && event.ev === 'exit' ? shortExit(event) : undefined;
}

/** `event`: the answer to its prompt, or how the process ended; absent if the turn of a stream has an end of its own. */
type JudgedEnd = Pick<TurnEnd, 'turn' | 'isAnswerUnknown'> & { readonly event?: TurnEnd['event'] | undefined };

/** The findings about a finished turn. */
export function judgeTurnEnd({ turn, event, isAnswerUnknown }: JudgedEnd, conversation: Conversation): Findings {
  const found = judge(turn, conversation, event) ?? (isAnswerUnknown ? undefined : withoutAnswer(turn, conversation));
  const hasFailed = found && reaches(found.level, 'warning') && found.code !== 'empty-turn';
  return [found, hasFailed ? undefined : overcome(turn)];
}

function judge(turn: EndedTurn, conversation: Conversation, event?: TurnEnd['event']): Found | undefined {
  if (turn.isUnanswered) {
    const abandoned = conversation.askedToEnd || isKill(event) ? abandonedRetries(turn, t('Ended')) : undefined;
    if (abandoned || conversation.askedToEnd) return abandoned;
    const retried = isRetrying(turn) ? (turn.trouble?.message ?? '') : undefined;
    const ended = neverFinished(turn);
    // The exit is reported separately; this is its consequence.
    return {
      code: 'failed-turn',
      level: 'notice',
      what: retried === undefined ? ended : t('{0}, while it retried: {1}', ended, oneLine(retried, maxWhy)),
      cause: causeOf(openCause(turn)?.failure ?? 'other') ?? (event && exitIn(event)),
    };
  }
  if (turn.error) return judgeError(turn.error, turn, conversation);
  // Nobody waits for its result.
  if (turn.cancel && turn.isUnwanted && turn.stopReason !== 'error') return abandonedRetries(turn, t('Cancelled'));
  switch (turn.stopReason) {
    case 'refusal':
      if (turn.trouble && isUnresolved(turn)) return judgeQuietEnd(turn, conversation);
      return cutOff(t('the agent refused to continue'), turn);
    case 'max_tokens':
      return cutOff(t('token limit reached'), turn, t('Ask it to continue, or ask for less at once.'));
    case 'max_turn_requests':
      return cutOff(t('limit of model requests reached'), turn, t('Ask it to continue.'));
    case 'error':
      return judgeQuietEnd(turn, conversation, true) ?? described(turn, '', conversation, { failure: 'other' });
    // Closing a session cancels its turn. Without a cancel, the agent may be hiding an error.
    case 'cancelled': {
      const isAsked = turn.cancel !== undefined || turn.isSessionClosed || conversation.askedToEnd;
      return isAsked ? abandonedRetries(turn, t('Cancelled')) : judgeQuietEnd(turn, conversation);
    }
    default:
      return turn.cancel ? abandonedRetries(turn, t('Cancelled')) : judgeQuietEnd(turn, conversation, false, event);
  }
}

function cutOff(why: Words, turn: EndedTurn, advice?: Words): Found {
  return {
    code: 'turn-cut-short',
    level: 'warning',
    what: t('Turn cut short: {0} (`{1}`)', why, turn.stopReason ?? ''),
    cause: causes.cutShort,
    ...(advice && { advice }),
  };
}

function judgeError(error: RpcError, turn: EndedTurn, conversation: Conversation): Found | undefined {
  if (error.code === requestCancelled) return undefined;
  const own = classOfError(error, { role: 'turn' }, conversation);
  // A cancel makes requests fail in various ways.
  if (turn.cancel && (own === 'aborted' || ofConnection.has(own) || generic.test(error.message))) return undefined;
  if (turn.cancel && own === 'other') {
    const what = t('The agent answered a cancelled turn with an error (expected `cancelled`): {0}', errorText(error));
    return { code: 'cancel-ignored', level: 'notice', what };
  }
  const reason = own === 'other' && generic.test(error.message) ? pendingReason(turn, conversation) : undefined;
  const failure = reason === undefined ? own : classOfFailure(reason);
  const words = reason === undefined ? errorText(error) : `${errorText(error)}: ${reason}`;
  return described(turn, words, conversation, { failure, data: error.data });
}

/** A turn that ended without an error. */
function judgeQuietEnd(
  turn: EndedTurn,
  conversation: Conversation,
  hasFailed = false,
  event?: TurnEnd['event'],
): Found | undefined {
  const { trouble } = turn;
  const answer = turn.lastText.trim();
  // The agent may say so instead of an answer.
  if (turn.hook && !turn.hasActed && isOf(turn.hook, answer)) return blockedBy(turn.hook);
  const reading = readAnswer(answer, turn.prompt);
  if (trouble && isUnresolved(turn)) {
    const why = trouble.isEnd && answer !== '' ? answer : trouble.message;
    return described(turn, why, conversation);
  }
  // The agent appends its own text to what the model has written so far.
  if (readAnswer(turn.lastSentence, turn.prompt) === 'marker' && (turn.answerTokens ?? 0) === 0) {
    return described(turn, turn.lastSentence.trim(), conversation);
  }
  const isWithoutTokens = turn.tokens === 0 && (turn.answerTokens ?? 0) === 0;
  const isExcuse = isWithoutTokens && classOfText(answer) !== 'other' && !isReport(answer);
  const hasSecondSign = turn.retries > 0 || (trouble && !turn.actedSinceTrouble) || isWithoutTokens || hasFailed;
  // A proxy or a provider that fails uses no tokens.
  if ((reading === 'body' || reading === 'marker') && isOfModel(turn, answer) && !hasFailed) return undefined;
  if (reading === 'body' || reading === 'marker' || isExcuse || (reading === 'prose' && hasSecondSign)) {
    return described(turn, answer, conversation);
  }
  if (turn.hasActed) return undefined;
  if (answer !== '' || turn.text.trim() !== '') {
    return reading === 'prose' && (turn.tokens ?? 0) === 0 ? doubtful(answer) : undefined;
  }
  // The agent's commands may have no output.
  if (turn.prompt.startsWith('/')) return undefined;
  const reason = (event && 'msg' in event ? reasonInMeta(event) : undefined) ?? reasonOnStderr(turn, conversation);
  if (reason !== undefined) return described(turn, reason, conversation);
  return {
    code: 'empty-turn',
    level: 'warning',
    what:
      turn.stopReason === undefined
        ? t('Empty turn: no output, no tool calls and no stop reason')
        : t('Empty turn: no output and no tool calls (`{0}`)', turn.stopReason),
    cause: causes.emptyTurn,
    advice: t('The agent may have hidden a model error; check its own log.'),
  };
}

/** Whether nothing but the hook's words is said. */
function isOf({ reason }: HookBlock, answer: string): boolean {
  return answer === '' || (reason.trim() !== '' && answer.includes(reason.trim()));
}

/** The finding about a prompt that never reached the model. */
function blockedBy({ name, reason }: HookBlock): Found {
  const words = oneLine(reason, maxWhy);
  return {
    code: 'empty-turn',
    level: 'warning',
    what:
      words === ''
        ? t('A hook blocked the prompt: `{0}`', name)
        : t('A hook blocked the prompt (`{0}`): {1}', name, words),
    cause: causes.hook,
    advice: hookAdvice,
  };
}

/** The finding about a turn whose tools ran, and that said nothing after them. */
function withoutAnswer(turn: EndedTurn, conversation: Conversation): Found | undefined {
  const { text, endedCalls, callsAtText, lastCall, prompt, isUnprompted, startedAt, stopReason } = turn;
  const isSilent = text.trim() === '' ? endedCalls > 0 : endedCalls - callsAtText > maxClosing;
  if (!isSilent || lastCall !== 'ok' || stopReason === undefined || stopReason === 'cancelled') return undefined;
  if (prompt.startsWith('/') || wantsNoWords.test(prompt) || isUnprompted || turn.parent !== undefined) {
    return undefined;
  }
  // The answer may be in a line that couldn't be read.
  if (turn.cancel || turn.isUnanswered || turn.error || conversation.unreadAt >= startedAt) return undefined;
  return {
    code: 'empty-turn',
    level: 'warning',
    what: t('The turn ended without an answer (`{0}`)', stopReason),
    cause: causes.noAnswer,
    advice: t('Its tools ran, but the model said nothing after them: ask again.'),
  };
}

/** Whether the model wrote the answer: the tokens of its request, or of a turn with a single request, say so. */
function isOfModel({ tokens = 0, answerTokens, hasActed, hasCalledTool }: EndedTurn, answer: string): boolean {
  if (answerTokens !== undefined) return answerTokens > 0;
  return tokens > 0 && !hasCalledTool && (!hasActed || tokens * maxPerToken >= answer.length);
}

/** Only the words indicate a failure. */
function doubtful(answer: string): Found {
  return {
    code: 'failed-turn',
    level: 'notice',
    what: t('The answer reads like an error: "{0}"', oneLine(answer, maxWhy)),
  };
}

/** Whether nothing followed the trouble, or only its repetition. */
function isUnresolved(turn: EndedTurn): boolean {
  const { trouble } = turn;
  if (!trouble || turn.actedSinceTrouble) return false;
  const since = turn.textSinceTrouble.trim();
  if (trouble.isEnd && since.length <= maxEnd) return true;
  if (isExcuseFor(turn, trouble, since)) return true;
  // Something unrelated may have failed after the answer.
  if (trouble.isOnStderr && since === '' && turn.lastText.trim() !== '') {
    return isNoMoreThan(turn.lastText.trim(), trouble.message) || isUnfinished(turn.lastText);
  }
  return isNoMoreThan(since, trouble.message);
}

/** Whether the agent itself wrote the text after a final error: without tokens, or as an apology that may be without. */
function isExcuseFor({ tokens, lastText }: EndedTurn, { isFinal, isOnStderr }: Trouble, since: string): boolean {
  if (isOnStderr !== true || since === '' || since.length > maxExcuse || (tokens ?? 0) > 0) return false;
  return (tokens === 0 && isFinal) || (lastText.trim() === since && apology.test(since));
}

/** Whether an answer ends in the middle of a sentence. */
function isUnfinished(text: string): boolean {
  return /\s\S*[\p{L}\d,;(-]$/u.test(text.trim());
}

const maxEnd = 2000;
/** Some agents say their answer before the call that ends the turn. */
const maxClosing = 1;
/** The user wants to read nothing. */
const wantsNoWords =
  /\b(?:no|without|don['’]t|do not|nothing|ohne|keine?n?|sin|sans|pas (?:de|d['’])|aucune?|senza|nessun\w*|sem|nenhum\w*|bez|geen)\b.{0,24}(?:answers?|repl(?:y|ies)|respon\w*|comment\w*|coment\w*|kommentar\w*|explain\w*|expla\w*|expli\w*|erklär\w*|antwort\w*|summar\w*|zusammenfass\w*|words?|worte?|talk\w*|say|text|réponse|risposta|resposta|spiega\w*|odpowied\w*|komentarz\w*)|без (?:ответ|комментар|пояснен)|不(?:要|用|需要)(?:回答|解释|说明)|(?:返事|説明|コメント)(?:は)?(?:不要|なし|いりません)|(?:설명|답변)(?:은|는)? ?(?:필요 ?없|하지)/iu;
/** Characters per token, at most. */
const maxPerToken = 8;
/** The finding about trouble that the turn recovered from. */
function overcome(turn: EndedTurn): Found | undefined {
  const { trouble, retries } = turn;
  if (!trouble || turn.isUnanswered || turn.cancel) return undefined;
  const failure = classOfFailure(trouble.message);
  if (retries === 0 && !(failure === 'rate-limit' && trouble.isOnStderr)) return undefined;
  const code = failure === 'rate-limit' ? 'rate-limited' : 'retrying';
  const cause = causeOf(failure);
  const why = cause ?? oneLine(readable(trouble.message), 80);
  return { code, level: 'notice', what: t('{0} ({1})', recoveredAfter(retries), why), cause };
}

function recoveredAfter(retries: number): Words {
  if (retries === 0) return t('Recovered');
  return retries === 1 ? t('Recovered after 1 retry') : t('Recovered after {0} retries', retries);
}

export function neverFinished({ took }: EndedTurn): Words {
  return took === undefined
    ? t('Turn never finished: the agent ended')
    : t('Turn never finished: the agent ended after {0}', { ms: took });
}

/** @param why in the agent's words */
function described(
  turn: EndedTurn,
  why: string,
  conversation: Conversation,
  known: Pick<TurnFailed, 'failure' | 'data'> = {},
): Found {
  const { retries, took, stopReason, error } = turn;
  const reported = (error ?? stopReason === 'error') ? undefined : (stopReason ?? 'nothing');
  return turnFailure({ why, retries, took, reported, code: error?.code, turn, ...known }, conversation);
}

/** Whether the text only repeats the error in similar words. */
function isNoMoreThan(text: string, error: string): boolean {
  if (text === '' || error.includes(text)) return true;
  return text.includes(error.trim()) && text.length <= error.length + 200;
}
