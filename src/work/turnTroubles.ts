import { oneLine } from '../text/text';
import type { Words } from '../text/translator';
import { inEnglish, t } from '../text/translator';
import { readAnswer } from './failures/errorAnswer';
import type { ActivityFact, LimitFact, NoticeFact, RetryFact } from './activity';
import { retryLimitIn } from './troubleText';
import type { Turn } from './turn';
import { addAct, addTrouble, isRetrying } from './turn';

/** In place of a reason for a failed turn. */
export const noReason = 'the agent reports a system error';

/** Notes what a fact says about a turn. Returns true if that shows in its step. */
export function noteFact(turn: Turn, fact: ActivityFact): boolean {
  switch (fact.type) {
    case 'progress':
      addAct(turn);
      return false;
    case 'retry':
      noteRetry(turn, fact);
      return true;
    case 'limit':
      noteLimit(turn, fact);
      return false;
    case 'notice':
      noteShownError(turn, fact);
      return false;
    default:
      return false;
  }
}

function noteRetry(turn: Turn, { change, message, details, reason, isOfTurn, maxRetries }: RetryFact): void {
  if (change === 'retrying') addRetry(turn, maxRetries ?? retryLimitIn(message));
  if (isOfTurn === true && turn.trouble?.isEnd === true) return;
  const reported = reason ?? details ?? message;
  const why = reported ?? (isOfTurn === true ? (turn.trouble?.message ?? noReason) : undefined);
  const isFinal = change === 'gave-up';
  if (why !== undefined) addTrouble(turn, { message: why, isFinal, ...(isOfTurn === true && { isEnd: true }) });
  else if (turn.trouble) turn.trouble = { ...turn.trouble, isFinal: true };
}

/** Notes a failure that only standard error has. */
export function noteStderr(turn: Turn, message: string, isRetry: boolean, limit: number | undefined): void {
  addTrouble(turn, { message, isFinal: !isRetry, isOnStderr: true });
  if (isRetry) addRetry(turn, limit);
}

function addRetry(turn: Turn, limit: number | undefined): void {
  turn.retries++;
  turn.maxRetries = limit ?? turn.maxRetries;
}

/** `Usage limit reached (weekly), until …`. */
export function limitText({ state, window, resetsAt }: LimitFact): Words {
  const limit = state === 'near' ? t('Near the usage limit') : t('Usage limit reached');
  const named = window === undefined ? limit : t('{0} ({1})', limit, oneLine(window, 60));
  return resetsAt === undefined || resetsAt <= 0 ? named : t('{0}, until {1}', named, { at: resetsAt });
}

/** A limit that is reported between two attempts doesn't end them. */
function noteLimit(turn: Turn, fact: LimitFact): void {
  if (fact.state === 'reached' && !isRetrying(turn)) {
    addTrouble(turn, { message: inEnglish(limitText(fact)), isFinal: true });
  }
}

/** Notes an error that the agent shows as an answer. */
function noteShownError(turn: Turn, { about, text, isCertain }: NoticeFact): void {
  if (about !== 'error' || (isCertain !== true && readAnswer(text, '') === 'no')) return;
  addTrouble(turn, { message: text, isFinal: true });
}
