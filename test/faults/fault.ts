import type { Stage } from './stage';

/** The outcome of one fault. */
export interface Outcome {
  /** What the agent had written, if known, or what else was at risk. */
  readonly sent: string;
  /** Number of records that were lost without being reported. */
  readonly lost: number;
  /** What is wrong; empty if the test passed. */
  readonly failures: readonly string[];
  /** Measurements. */
  readonly note?: string;
  /** A known limitation: printed, but not a failure. */
  readonly knownLimit?: string;
}

/** A fault to inject, and what must still hold. */
export interface Fault {
  readonly name: string;
  /** Why it can't be injected here. */
  readonly unable?: () => string | undefined;
  /** Injects the fault. The processes it starts have the stage's folder as `HOME`, by which they are found afterwards. */
  bringAbout(stage: Stage): Promise<Outcome>;
}
