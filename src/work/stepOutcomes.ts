import { oneLine } from '../text/text';
import type { PermissionFact, TurnEndedFact } from './activity';
import { requestCancelled } from './errorCodes';
import type { ClosedFact, ResponseFact } from './facts';
import type { RpcError } from './rpcError';
import type { Ended } from './step';
import { maxTitle } from './step';
import type { Turn } from './turn';
import { noReason } from './turnTroubles';

/** @param turn absent if its start wasn't seen */
export function turnOutcome(fact: TurnEndedFact, turn: Turn | undefined): Ended {
  const wasCancelled = turn?.isUnwanted === true;
  const { stopReason, error, failure } = fact;
  if (fact.isUnanswered) return { outcome: 'unanswered' };
  if (error) return wasCancelled ? { outcome: 'cancelled' } : errorEnd(error);
  if (failure) {
    const words = failure.type === 'limit' ? `limit: ${failure.limit}` : failure.words;
    return { outcome: 'error', detail: short(words ?? stopReason) };
  }
  if (wasCancelled || fact.isInterrupted || stopReason === 'cancelled') return { outcome: 'cancelled' };
  if (turn?.trouble?.isEnd === true) {
    const { message } = turn.trouble;
    return { outcome: 'error', detail: message === noReason ? undefined : short(message) };
  }
  const outcome = stopReason === 'refusal' ? 'refused' : stopReason === 'error' ? 'error' : 'ok';
  return { outcome, detail: short(stopReason) };
}

export function permissionOutcome({ outcome }: PermissionFact): Ended {
  return { outcome: outcome ?? 'unknown' };
}

export function requestOutcome(fact: ResponseFact | ClosedFact): Ended {
  if (fact.error) return errorEnd(fact.error);
  if (fact.type === 'response' || fact.how === 'answered') return { outcome: 'ok' };
  return { outcome: fact.how === 'failed' ? 'error' : 'cancelled' };
}

/** @param error empty if unknown */
export function spanOutcome(error: string | undefined): Ended {
  return error === undefined ? { outcome: 'ok' } : { outcome: 'error', detail: short(error) };
}

function errorEnd({ code, message }: RpcError): Ended {
  return code === requestCancelled ? { outcome: 'cancelled' } : { outcome: 'error', detail: short(message) };
}

function short(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : oneLine(text, maxTitle);
}
