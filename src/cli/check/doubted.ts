import type { Outcome } from './evaluate';
import type { Expectation } from './expectation';

/** Fails what passed only because something wasn't found, if it may be in what is missing. */
export function doubted(outcome: Outcome, expectation: Expectation, missing: readonly string[]): Outcome {
  const isAbsence = !('query' in expectation) || expectation.max !== undefined;
  if (!outcome.passed || !isAbsence || missing.length === 0) return outcome;
  return { ...outcome, passed: false, found: `${outcome.found}, but not everything was read: ${missing.join('; ')}` };
}
