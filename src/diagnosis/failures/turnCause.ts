import { objectOf, textOf } from '../../text/json';
import { errorWords } from '../../work/errorWords';
import { readAnswer } from '../../work/failures/errorAnswer';
import { classOfFailure, classOfText } from '../../work/failures/failureClass';
import { saysMore } from '../../work/failures/ranking';
import type { EndedTurn, Said, Turn, TurnEnd } from '../../work/turn';
import type { Conversation } from '../conversation/conversation';
import { readTrouble } from '../conversation/troubles';
import { lastWords } from './lastWords';

/** The innermost cause of a turn's failure: its own words, unless retries, standard error or log messages said more since the agent last acted. */
export function innermost(own: Said, turn: Turn | undefined): Said {
  const said = turn && openCause(turn);
  return said && saysMore(said.failure, own.failure) ? said : own;
}

/** What was said about trouble that the turn didn't recover from. */
export function openCause({ cause, prompt, textSinceTrouble }: Turn): Said | undefined {
  const text = textSinceTrouble.trim();
  // An answer shows that a retry succeeded; an error or an apology doesn't.
  const isAnswer = text.length > maxExcuse || (text !== '' && readAnswer(text, prompt) === 'no' && isProse(text));
  return isAnswer ? undefined : cause;
}

function isProse(text: string): boolean {
  return classOfText(text) === 'other' && !apology.test(text);
}

/** Maximum length of an excuse, in characters. */
export const maxExcuse = 300;
/** In the languages that agents are most often translated to. */
export const apology =
  /\b(?:sorry|apologi[sz]e|went wrong|(?:re)?try (?:again|later)|could ?n[o'’]t be reached|désolée?|réessaye[rz]|lo siento|inténta\w*|intentarlo|leider|entschuldig\w*|tut mir leid|erneut|mi dispiace|riprova\w*|desculpe|tente novamente)(?!\p{L})|申し訳|抱歉|对不起|重试|稍后|再試行|извин|попробуйте|죄송/iu;

/** What the turn itself says about a failure that its answer doesn't name: its latest trouble, otherwise standard error. */
export function pendingReason(turn: EndedTurn, conversation: Conversation): string | undefined {
  const { trouble } = turn;
  return trouble && !turn.actedSinceTrouble ? trouble.message : reasonOnStderr(turn, conversation);
}

/**
 * What reads like a reason and was written during this turn, or a failure of the provider since the turn before; another open turn may have caused
 * either.
 */
export function reasonOnStderr({ startedAt }: EndedTurn, conversation: Conversation): string | undefined {
  if (conversation.hasTurns) return undefined;
  const last = lastWords(conversation.stderr.said(startedAt));
  if (last?.isReason) return last.words;
  const troubles = conversation.stderr.said(conversation.lastTurnAt).map((line) => readTrouble(line));
  return troubles.findLast((trouble) => trouble?.type === 'failure' && !trouble.isRetry)?.words;
}

/** An error that the agent hides in the `_meta` of its answer to the prompt. */
export function reasonInMeta({ msg }: Pick<Extract<TurnEnd['event'], { msg?: unknown }>, 'msg'>): string | undefined {
  const meta = objectOf(objectOf(objectOf(msg)['result'])['_meta']);
  const [, error] = Object.entries(meta).find(([name]) => /error|failure/i.test(name)) ?? [];
  const words = textOf(error) ?? errorWords({ message: '', data: error });
  return words === '' ? undefined : words;
}

/** The cause of an exit: what the process printed last, or what its last turn or stream reported, whichever says more. */
export function causeOfExit(printed: string | undefined, { turns, lastError }: Conversation): Said | undefined {
  const ofTurn = turns.flatMap((turn) => openCause(turn) ?? []).at(-1);
  const said =
    ofTurn ?? (lastError === undefined ? undefined : { words: lastError, failure: classOfFailure(lastError) });
  if (printed === undefined) return said;
  const own = { words: printed, failure: classOfFailure(printed) };
  return said && saysMore(said.failure, own.failure) ? said : own;
}
