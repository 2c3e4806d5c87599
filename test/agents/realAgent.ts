import type { MockModel, MockMode } from './mockModel';
import type { Sandbox } from './sandbox';
import type { Trial } from './trial';

/** One way in which an agent is tried. */
export interface Scenario {
  readonly name: string;
  /** How the loopback model behaves, for an agent that speaks to one. */
  readonly model?: MockMode;
  /** Arguments beside those that the agent always gets. */
  readonly args?: readonly string[];
  /** Tells the trial what to do and what to look for. It is stopped afterwards in any case. */
  readonly play: (trial: Trial) => Promise<void>;
}

/** An agent from npm, and how it is tried. */
export interface RealAgent {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** The program of the package's `bin`, or a file of the package. */
  readonly program: string;
  readonly args: readonly string[];
  /** Added to the clean environment that every agent gets. */
  readonly env: Readonly<Record<string, string>>;
  /** It wants a newer Node than the extension's. */
  readonly needsNewerNode?: boolean;
  /** Packages whose install scripts it cannot do without: newer npm runs none that are not named. */
  readonly installScripts?: readonly string[];
  /** Writes its configuration into the fresh home. */
  readonly configure?: (sandbox: Sandbox, model: MockModel) => void;
  readonly scenarios: readonly Scenario[];
}
