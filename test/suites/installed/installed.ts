import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../../api/agent-logs';
import { agentLogs, recordOf, execute } from '../support';
import { extensionProcesses } from '../../../scripts/vsix/extensionProcesses.mjs';
import { addFacts } from './facts';

export const id = 'agent-logs.agent-logs';

/** Asserts that the extension is the packaged one, of the installed version. */
export function assertInstalled(): void {
  const extension = vscode.extensions.getExtension(id);
  const { version } = (extension?.packageJSON ?? {}) as { version?: string };
  assert.equal(version, process.env['AGENT_LOGS_VERSION']);
  assert.equal(extension?.extensionPath, `${process.env['AGENT_LOGS_EXTENSIONS'] ?? ''}/${id}-${version ?? ''}`);
}

/** Starts the sample agent like its button, and waits for its first answer. */
export async function startSample(): Promise<Run> {
  const api = await agentLogs();
  await execute('agentLogs.startSampleAgent');
  const run = api.runs.find(({ state }) => state === 'running');
  assert.ok(run, 'no agent runs');
  await recordOf(run, ({ message }) => message.includes('end_turn'));
  return run;
}

/** Records the running processes before VS Code ends the extension host. */
export async function noteProcesses(): Promise<void> {
  const folder = vscode.extensions.getExtension(id)?.extensionPath ?? '';
  addFacts({ processes: await extensionProcesses(process.pid, folder) });
}
