import type { CliHarness } from '../support/cli';
import type { TestRuns } from '../support/testRun';

/** What every scenario works with. */
export interface Stage {
  readonly runs: TestRuns;
  /** The command line, bundled as it ships, beside the bundled sample agent. */
  readonly cli: CliHarness;
  /** The bundled sample agent. */
  readonly sampleAgent: string;
  /** A folder with `npmAgent` as npm installs commands, and `batchAgent`, a batch file or shell script. Both log their arguments. */
  readonly commands: string;
}

/** Something a person does with the product, as lines that must be the same on every system. */
export interface Scenario {
  readonly name: string;
  /** Why it can't be shown under Wine. */
  readonly notUnderWine?: string;
  readonly play: (stage: Stage) => Promise<readonly string[]>;
}

/** Results by scenario, as JSON in the report file. */
export type Report = Readonly<Record<string, ScenarioResult>>;

export type ScenarioResult =
  | { readonly type: 'played'; readonly lines: readonly string[] }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'skipped'; readonly reason: string };
