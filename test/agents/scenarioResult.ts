import type { Check } from './checks';
import type { Step } from './trial';

/** The result of one scenario. */
export interface ScenarioResult {
  readonly agent: string;
  readonly version: string;
  readonly scenario: string;
  readonly checks: readonly Check[];
  readonly steps: readonly Step[];
  /** Number of records by kind. */
  readonly records: ReadonlyMap<string, number>;
  readonly ms: number;
}
