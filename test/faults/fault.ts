import type { Stage } from './stage';

/** What came of one fault. */
export interface Outcome {
  /** What the agent had written, as far as it is known, or what else was at stake. */
  readonly sent: string;
  /** How many records are missing that nobody was told of. */
  readonly lost: number;
  /** What is wrong: nothing, if it held. */
  readonly failures: readonly string[];
  /** What was measured. */
  readonly note?: string;
  /** What does not hold, and is known not to: printed as such, and no failure. */
  readonly knownLimit?: string;
}

/** A way for things to go wrong, and what must hold then. */
export interface Fault {
  readonly name: string;
  /** Why it cannot be tried here. */
  readonly unable?: () => string | undefined;
  /** Brings it about. Whatever processes it starts have the stage's folder as `HOME`: they are looked for afterwards. */
  bringAbout(stage: Stage): Promise<Outcome>;
}
