import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allPrograms, bundleProgram } from './bundle';

let folder: string | undefined;

/** Bundles the programs once for all test files of `npm run test:unit`, whose processes inherit the variable. */
export async function mochaGlobalSetup(): Promise<void> {
  const made = mkdtempSync(join(tmpdir(), 'agent-logs-programs-'));
  folder = made;
  await Promise.all(allPrograms.map((name) => bundleProgram(name, made)));
  process.env['AGENT_LOGS_BUNDLES'] = made;
}

export function mochaGlobalTeardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
