// What the suites of the packaged extension tell those that come after them, in another window, and scripts/testVsix.mjs.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Process } from '../../../scripts/vsix/extensionProcesses.mjs';

export interface Facts {
  /** Files that must be as they are after an upgrade, and after the extension is gone. */
  readonly kept: readonly string[];
  /** The records of the run that was left, as `level message`. */
  readonly records: readonly string[];
  /** What runs for the extension, and must not when its window is gone. */
  readonly processes: readonly Process[];
}

export function readFacts(): Facts {
  return { kept: [], records: [], processes: [], ...(JSON.parse(readFileSync(file(), 'utf8')) as Partial<Facts>) };
}

export function addFacts(facts: Partial<Facts>): void {
  writeFileSync(file(), JSON.stringify({ ...readFacts(), ...facts }));
}

function file(): string {
  const path = process.env['AGENT_LOGS_FACTS'];
  if (path === undefined) throw new Error('AGENT_LOGS_FACTS is not set: this suite is for scripts/testVsix.mjs.');
  return path;
}
