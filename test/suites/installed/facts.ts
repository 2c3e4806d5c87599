// Facts that the suites of the packaged extension pass to later suites in another window, and to scripts/testVsix.mjs.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Process } from '../../../scripts/vsix/extensionProcesses.mjs';

export interface Facts {
  /** Files that must survive an upgrade and the removal of the extension. */
  readonly kept: readonly string[];
  /** The records of the last run, as `level message`. */
  readonly records: readonly string[];
  /** The extension's processes, which must end with the window. */
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
