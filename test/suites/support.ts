import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { AgentLogsApi, Run } from '../../api/agent-logs';
import type { LogRecord } from '../../src/text/record';
import { eventually, poll } from './waiting';
import { Workbench } from './workbench';

/** The extension's own API, activated. */
export async function agentLogs(): Promise<AgentLogsApi> {
  const extension = vscode.extensions.getExtension<AgentLogsApi>('agent-logs.agent-logs');
  if (!extension) throw new Error('agent-logs.agent-logs is not installed');
  return extension.activate();
}

/** Runs a command of VS Code. */
export async function execute<T = unknown>(id: string, ...args: readonly unknown[]): Promise<T> {
  return vscode.commands.executeCommand<T>(id, ...args);
}

/** Writes `agentLogs.agents` to the workspace's settings. */
export function configureAgents(agents: Record<string, unknown>): Promise<void> {
  return configure('agents', agents);
}

/** For a suite: the extension is active, with these agents. Nothing of it is left afterwards. */
export function withAgents(agents: Record<string, unknown> = {}): void {
  // Nothing may change what an untrusted workspace has.
  const { isTrusted } = vscode.workspace;
  before(async () => {
    await agentLogs();
    if (isTrusted) await configureAgents(agents);
  });
  after(async () => {
    await endAll();
    if (!isTrusted) return;
    await configureAgents({});
    await showSavedSessions();
  });
}

/** The same in the window, which shows nothing but the tree when the suite begins. */
export function inWindow(agents?: Record<string, unknown>): Workbench {
  const workbench = Workbench.attached;
  before(async () => {
    await workbench.begin();
    for (const command of leavings) await execute(command);
    await execute('agentLogs.sessions.focus');
  });
  withAgents(agents);
  after(async () => {
    for (const command of leavings) await execute(command);
  });
  return workbench;
}

const leavings = ['notifications.clearAll', 'workbench.action.closeAllEditors', 'workbench.action.closePanel'];

/** A folder of a suite, which is removed with it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-logs-'));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Sets variables of the environment for a suite. */
export function withEnvironment(variables: Readonly<Record<string, string>>): void {
  const usual = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  before(() => Object.assign(process.env, variables));
  after(() => {
    for (const [name, value] of usual) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });
}

/** An agent that is one of the fakes. */
export function fake(
  name: string,
  ...args: string[]
): { command: string; args: string[]; env: Record<string, string> } {
  return {
    command: process.execPath,
    args: [fixture(`../fakeAgents/${name}.mjs`), ...args],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** The newest run of an agent. */
export async function runOf(agent: string): Promise<Run | undefined> {
  return (await agentLogs()).runs.find(({ name }) => name === agent);
}

/** The title of the tab that is in front; '' if there is none. */
export function activeTab(): string {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
}

/** The texts of the diff editor that is in front, once there is one. */
export async function diffTexts(): Promise<readonly [original: string, modified: string]> {
  const { original, modified } = await eventually(() => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff && input;
  });
  const text = async (uri: vscode.Uri): Promise<string> => (await vscode.workspace.openTextDocument(uri)).getText();
  return [await text(original), await text(modified)];
}

/** The path of a fixture. */
export function fixture(name: string): string {
  return join(vscode.extensions.getExtension('agent-logs.agent-logs')!.extensionPath, 'test', 'fixtures', name);
}

/** A run of the bookshop's agent with two sessions, of which the second one has failed. */
export async function bookshopRun(): Promise<Run> {
  await configureAgents({ 'Bookshop Agent': fake('bookshop') });
  const run = await (await agentLogs()).start('Bookshop Agent');
  for (const text of ['Round the school discount once.', 'Run the tests.']) {
    await run.prompt(await run.newSession(), text);
  }
  await recordOf(run, ({ kind, logger }) => kind === 'diagnosis' && logger === 'failed-turn');
  return run;
}

/** The number of the record that says why a turn of a run failed. */
export function failureOf(run: Run): number | undefined {
  return run.records({ kinds: ['diagnosis'] }).find(({ logger }) => logger === 'failed-turn')?.seq;
}

/** A run of `Crashes`, an agent that crashes in its first turn. */
export async function crashedRun(): Promise<Run> {
  const run = await (await agentLogs()).start('Crashes');
  await assert.rejects(run.prompt(await run.newSession(), 'go'));
  await ended(run);
  return run;
}

/** What the extension underlines in settings. */
export function mistakes(): readonly vscode.Diagnostic[] {
  const all = vscode.languages.getDiagnostics().flatMap(([, diagnostics]) => diagnostics);
  return all.filter(({ source }) => source === 'Agent Logs');
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
  await execute('workbench.action.closeAllEditors');
  for (const run of runs) {
    await execute('agentLogs.deleteJournal', run.id).catch(() => undefined);
    // A past run disappears with its journal.
    const left = (await agentLogs()).runs;
    if (left.some(({ id }) => id === run.id)) await execute('agentLogs.removeRun', run.id);
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

/** An agent of the settings, once it is there. */
export function configuredAgent(name: string): Promise<unknown> {
  return eventually(() => {
    const agents = vscode.workspace.getConfiguration('agentLogs').get<Record<string, unknown>>('agents');
    return agents?.[name];
  });
}

/** Changes a setting for the user. An open editor of the user's settings makes it slow. */
export async function configureUser(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('agentLogs').update(name, value, vscode.ConfigurationTarget.Global);
}

/** Waits until the clipboard has such a text. */
export function copied(fits: (text: string) => boolean): Promise<string> {
  return poll(async () => vscode.env.clipboard.readText()).until(fits);
}

/** Waits until a run has ended. */
export async function ended(run: Run): Promise<void> {
  await poll(() => Promise.resolve(run.state)).until((state) => state === 'ended');
}

/** Shows *On This Machine*, with the sessions in these folders, or hides it. */
export async function showSavedSessions(folders?: Readonly<Record<string, string>>): Promise<void> {
  await configure('savedSessions.folders', folders);
  await configure('savedSessions.show', folders && true);
}
