import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../workbench';
import { id, noteProcesses, startSample } from './installed';

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
    await vscode.commands.executeCommand('workbench.extensions.uninstallExtension', id);
    await eventually(
      () => Promise.resolve(installed()),
      (ids) => ids?.length === 0,
    );
  });
});
