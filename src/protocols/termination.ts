import type { Termination } from '../log/termination';
import { t } from '../log/translator';
import { exitText } from './lifecycle';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

const faults: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTRAP']);

/** True if a program causes this signal itself. */
export function isFault(signal: string): boolean {
  return faults.has(signal);
}

/**
 * Derives the termination from the end of an agent.
 * @param exit the exit of its process, if it had one
 * @param stoppedByUs true if the user or the client stopped it
 * @param unanswered the method of a request that it didn't answer
 */
export function terminationOf(exit: Exit | undefined, stoppedByUs: boolean, unanswered?: string): Termination {
  if (!exit) {
    const message = t('disconnected');
    if (stoppedByUs) return { reason: 'completed', terminatedBy: 'client', message };
    return { reason: 'error', terminatedBy: 'agent', message };
  }
  const { code, signal } = exit;
  const how = {
    message: exitText(exit),
    ...(code !== null && { exitCode: code }),
    ...(signal !== null && { signal }),
  };
  if (stoppedByUs) return { reason: code === 0 ? 'completed' : 'terminated', terminatedBy: 'client', ...how };
  if (signal !== null && !isFault(signal)) return { reason: 'terminated', terminatedBy: 'system', ...how };
  if (code === 0 && unanswered !== undefined) {
    return {
      reason: 'error',
      terminatedBy: 'agent',
      ...how,
      message: t('{0} and left {1} unanswered', how.message, unanswered),
    };
  }
  return { reason: code === 0 ? 'completed' : 'error', terminatedBy: 'agent', ...how };
}
