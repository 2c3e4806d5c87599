import type { Check } from './checks';
import type { Step } from './trial';

/** The result of one scenario, or why it was skipped. */
export interface ScenarioResult {
  readonly agent: string;
  readonly version: string;
  readonly scenario: string;
  readonly notRun?: string;
  readonly checks: readonly Check[];
  readonly steps: readonly Step[];
  /** Number of records by kind. */
  readonly records: ReadonlyMap<string, number>;
  readonly ms: number;
}

export function notRun(agent: { name: string; version: string }, scenario: string, why: string): ScenarioResult {
  const { name, version } = agent;
  return { agent: name, version, scenario, notRun: why, checks: [], steps: [], records: new Map(), ms: 0 };
}
