import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import { addFacts } from './facts';
import { assertInstalled, noteProcesses, startSample } from './installed';

/** The user's settings file in VS Code from npm. */
function settingsFile(): string {
  return resolve(process.env['AGENT_LOGS_EXTENSIONS'] ?? '', '..', 'data', 'User', 'settings.json');
}

describe('The previous version', () => {
  it('is installed and reads settings', async () => {
    assertInstalled();
    const settings = vscode.workspace.getConfiguration('agentLogs');
    await settings.update('level', 'debug', vscode.ConfigurationTarget.Global);
    await settings.update('agents', { Mine: { command: 'my-agent' } }, vscode.ConfigurationTarget.Global);
    assert.match(readFileSync(settingsFile(), 'utf8'), /"agentLogs\.level": "debug"/);
    addFacts({ kept: [settingsFile()] });
  });

  it('starts the sample agent and keeps its journal', async () => {
    const ended = await startSample();
    await ended.stop();
    const journal = ended.journal?.fsPath ?? '';
    assert.match(dirname(journal), /globalStorage/);
    assert.ok(existsSync(journal));
    addFacts({
      kept: [settingsFile(), journal],
      records: ended.records().map(({ level, message }) => `${level} ${message}`),
    });
  });

  it('leaves an agent running when its window is closed', async () => {
    const run = await startSample();
    assert.equal(run.state, 'running');
    await noteProcesses();
  });
});
