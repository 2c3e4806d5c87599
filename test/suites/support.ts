import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { AgentLogsApi, Run } from '../../api/agent-logs';
import type { LogRecord } from '../../src/text/record';
import { eventually } from './workbench';

/** The extension's own API, activated. */
export async function agentLogs(): Promise<AgentLogsApi> {
  const extension = vscode.extensions.getExtension<AgentLogsApi>('agent-logs.agent-logs');
  if (!extension) throw new Error('agent-logs.agent-logs is not installed');
  return extension.activate();
}

/** The path of one of the misbehaving agents. */
function fakeAgent(name: string): string {
  const extension = vscode.extensions.getExtension('agent-logs.agent-logs');
  return vscode.Uri.joinPath(extension!.extensionUri, 'test', 'fakeAgents', `${name}.mjs`).fsPath;
}

/** Writes `agentLogs.agents` to the workspace's settings. */
export async function configureAgents(agents: Record<string, unknown>): Promise<void> {
  await configure('agents', agents);
}

/** An agent that is one of the fakes. */
export function fake(
  name: string,
  ...args: string[]
): { command: string; args: string[]; env: Record<string, string> } {
  return { command: process.execPath, args: [fakeAgent(name), ...args], env: { ELECTRON_RUN_AS_NODE: '1' } };
}

/** Waits for a matching record of a run, and returns it. */
export function recordOf(run: Run, fits: (record: LogRecord) => boolean): Promise<LogRecord> {
  const there = run.records().find(fits);
  if (there) return Promise.resolve(there);
  return new Promise((resolve) => {
    const listener = run.onDidAppend((records) => {
      const found = records.find(fits);
      if (!found) return;
      listener.dispose();
      resolve(found);
    });
  });
}

/** Stops all runs of the window, and deletes them with their journals. */
export async function endAll(): Promise<void> {
  const { runs } = await agentLogs();
  // Files can't be stopped, and those of other programs can't be deleted.
  await Promise.all(runs.map((run) => run.stop().catch(() => undefined)));
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  for (const run of runs) {
    await Promise.resolve(vscode.commands.executeCommand('agentLogs.deleteJournal', run.id)).catch(() => undefined);
    // A past run disappears with its journal.
    const left = (await agentLogs()).runs;
    if (left.some(({ id }) => id === run.id)) await vscode.commands.executeCommand('agentLogs.removeRun', run.id);
  }
}

/**
 * Answers modal warnings with a button, or cancels them, because VS Code refuses to show them during tests.
 * @param use receives each question
 */
export async function withModals<T>(
  answer: string | undefined,
  use: (questions: readonly string[]) => Promise<T>,
): Promise<T> {
  const questions: string[] = [];
  const show = vscode.window.showWarningMessage;
  const stub = (message: string, options: unknown, ...rest: unknown[]): Thenable<unknown> => {
    if (typeof options !== 'object' || (options as vscode.MessageOptions).modal !== true) {
      return Reflect.apply(show, vscode.window, [message, options, ...rest]) as Thenable<unknown>;
    }
    questions.push(message);
    return Promise.resolve(answer);
  };
  Object.assign(vscode.window, { showWarningMessage: stub });
  try {
    return await use(questions);
  } finally {
    Object.assign(vscode.window, { showWarningMessage: show });
  }
}

/** Changes a setting of the extension in the workspace; `undefined` resets it. Writing the same again takes as long. */
export async function configure(name: string, value: unknown): Promise<void> {
  const settings = vscode.workspace.getConfiguration('agentLogs');
  if (isDeepStrictEqual(settings.inspect(name)?.workspaceValue, value)) return;
  await settings.update(name, value, vscode.ConfigurationTarget.Workspace);
}

/** The same for the user. An open editor of the user's settings makes it slow. */
export async function configureUser(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('agentLogs').update(name, value, vscode.ConfigurationTarget.Global);
}

/** Waits until the clipboard has such a text. */
export function copied(fits: (text: string) => boolean): Promise<string> {
  return eventually(async () => vscode.env.clipboard.readText(), fits);
}

/** Waits until a run has ended. */
export async function ended(run: Run): Promise<void> {
  await eventually(
    () => Promise.resolve(run.state),
    (state) => state === 'ended',
  );
}

/** Shows *On This Machine*, with the sessions in these folders. */
export async function showSavedSessions(folders: Readonly<Record<string, string>>): Promise<void> {
  await configure('savedSessions.folders', folders);
  await configure('savedSessions.show', true);
  await vscode.commands.executeCommand('agentLogs.sessions.focus');
}

export async function showNoSavedSessions(): Promise<void> {
  await configure('savedSessions.show', undefined);
  await configure('savedSessions.folders', undefined);
}
