import { inEnglish } from '../log/translator';
import { oneLine } from '../log/text';
import type { PermissionFact, ToolFact, TurnEndedFact } from '../work/activity';
import type { ClosedFact, ResponseFact } from '../work/facts';
import { leadingExitCode } from '../work/toolOutput';
import { tellsOfRejection } from '../work/troubleText';
import { requestCancelled } from '../work/errorCodes';
import type { RpcError } from '../work/rpcError';
import type { OpenSpan } from './openSpans';
import type { SpanEnd, TurnVerdict } from './span';

const maxDetail = 300;

/** @param turn absent if its start wasn't seen */
export function turnEnd(fact: TurnEndedFact, turn: Omit<OpenSpan, 'span'> | undefined): SpanEnd {
  const wasCancelled = turn?.unwanted === 'cancelled';
  const { stopReason, error, failure } = fact;
  if (fact.isUnanswered) return { outcome: 'unanswered' };
  if (error) return wasCancelled ? { outcome: 'cancelled' } : errorEnd(error);
  if (failure) {
    const words = failure.type === 'limit' ? `limit: ${failure.limit}` : failure.words;
    return { outcome: 'error', detail: short(words ?? stopReason) };
  }
  if (wasCancelled || fact.isInterrupted || stopReason === 'cancelled') return { outcome: 'cancelled' };
  if (turn?.hasFailed === true) return { outcome: 'error', detail: short(turn.trouble) };
  const outcome = stopReason === 'refusal' ? 'refused' : stopReason === 'error' ? 'error' : 'ok';
  return { outcome, detail: short(stopReason) };
}

/** The end of a turn whose answer hides that it failed; `undefined` if it didn't fail. */
export function verdictEnd({ outcome, cause, why }: TurnVerdict): SpanEnd | undefined {
  const isFailed = outcome === 'failed' || outcome === 'cut-short';
  if (!isFailed && outcome !== 'unanswered') return undefined;
  const words = cause ?? why;
  return { outcome: isFailed ? 'error' : 'unanswered', detail: short(words && inEnglish(words)) };
}

export function toolEnd(fact: ToolFact, { unwanted, exitCode: ofTerminal }: Omit<OpenSpan, 'span'>): SpanEnd {
  const { outcome, error, output } = fact;
  if (unwanted && outcome !== 'completed') {
    return { outcome: unwanted, detail: unwanted === 'cancelled' ? short(error ?? output) : undefined };
  }
  if (outcome === 'cancelled') return { outcome };
  const stated = outcome === 'failed' ? leadingExitCode(error ?? output ?? '') : undefined;
  const exitCode = fact.exitCode ?? ofTerminal ?? stated;
  const isBadExit = exitCode !== undefined && exitCode !== 0;
  if (outcome === 'completed' && !isBadExit) return { outcome: 'ok' };
  if (!isBadExit && tellsOfRejection(error ?? output ?? '')) return { outcome: 'refused' };
  return { outcome: 'error', detail: isBadExit ? `exit ${exitCode}` : short(error ?? output) };
}

export function permissionEnd({ outcome }: PermissionFact): SpanEnd {
  return { outcome: outcome === 'allowed' ? 'ok' : outcome };
}

export function requestEnd(fact: ResponseFact | ClosedFact): SpanEnd {
  if (fact.type === 'closed') return { outcome: fact.how === 'failed' ? 'error' : 'cancelled' };
  return fact.error ? errorEnd(fact.error) : { outcome: 'ok' };
}

/** @param outcome the outcome in the fact */
export function workEnd(outcome: 'completed' | 'failed' | 'cancelled' | undefined): SpanEnd {
  if (outcome === 'cancelled') return { outcome };
  return { outcome: outcome === 'failed' ? 'error' : 'ok' };
}

function errorEnd({ code, message }: RpcError): SpanEnd {
  return code === requestCancelled ? { outcome: 'cancelled' } : { outcome: 'error', detail: short(message) };
}

function short(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : oneLine(text, maxDetail);
}
