import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { poll } from '../waiting';
import { id, noteProcesses, startSample } from './installed';
import { execute } from '../support';

/**
 * The IDs of installed extensions. An extension host keeps those it has loaded until it restarts. `undefined` while
 * VS Code writes the list.
 */
function installed(): string[] | undefined {
  const list = readFileSync(join(process.env['AGENT_LOGS_EXTENSIONS'] ?? '', 'extensions.json'), 'utf8');
  try {
    return (JSON.parse(list) as { identifier: { id: string } }[]).map(({ identifier }) => identifier.id);
  } catch {
    return undefined;
  }
}

describe('The extension, uninstalled while an agent runs', () => {
  it('is no longer installed', async () => {
    const run = await startSample();
    assert.equal(run.state, 'running');
    await noteProcesses();
    assert.deepEqual(installed(), [id]);
    await execute('workbench.extensions.uninstallExtension', id);
    await poll(() => installed()).until((ids) => ids?.length === 0);
  });
});
