import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import {
  agentLogs,
  configure,
  configureAgents,
  configuredAgent,
  crashedRun,
  execute,
  fake,
  inWindow,
  recordOf,
  runOf,
} from './support';
import { poll } from './waiting';

describe('In the window: questions', () => {
  const workbench = inWindow({
    Asks: fake('asksPermission', `${'true; '.repeat(20)}rm -rf ~ # the end`),
    Hides: fake('asksPermission', `${'true; '.repeat(500)}rm -rf\u200b ~ # the end`),
    Locked: fake('needsAuth'),
    Crashes: fake('crashesInTurn'),
    Asked: fake('crashesInTurn', '${input:token}', '${input:name}'),
  });

  const tabs = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

  /** Waits until the agent runs anew. */
  async function restarted({ id }: Run): Promise<void> {
    const api = await agentLogs();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (api.runs[0]?.id === id || api.runs[0]?.state !== 'running') return;
        listener.dispose();
        resolve();
      };
      const listener = api.onDidChangeRuns(look);
      look();
    });
  }

  it('asks for a permission with the whole input of the tool, and allows nothing if dismissed', async () => {
    const run = await (await agentLogs()).start('Asks');
    const turn = run.prompt(await run.newSession(), 'go');
    const rows = await workbench.offered('Allow');
    assert.ok(rows.some(({ label }) => label.includes('the end')));
    await workbench.screenshot('9-permission');
    await workbench.page.keyboard.press('Escape');
    await turn;
    await recordOf(run, ({ message }) => message.startsWith('answered: Reject'));
  });

  it('offers to allow a long input only after all of it was shown', async () => {
    const run = await (await agentLogs()).start('Hides');
    const turn = run.prompt(await run.newSession(), 'go');
    const rows = await workbench.offered('Show All in an Editor');
    await workbench.screenshot('9-permission-cut');
    assert.ok(rows.some(({ label }) => label.includes('Reject')));
    assert.ok(!rows.some(({ label }) => label.includes('Allow')), 'nothing can be allowed yet');
    await workbench.pickInQuestion('Show All in an Editor');
    await workbench.offered('Allow');
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'jsonl');
    assert.match(document.getText().replaceAll('\n', ''), /rm -rf\\u200b ~ # the end/);
    await workbench.screenshot('9-permission-shown');
    await workbench.pickInQuestion('Allow');
    await turn;
    await recordOf(run, ({ message }) => message.startsWith('answered: Allow'));
    await poll(tabs).until((labels) => !labels.some((label) => label.includes('permission')));
    await run.stop();
  });

  it('closes the picker when the turn is cancelled', async () => {
    const run = await runOf('Asks');
    const [session] = run!.sessions;
    const turn = run!.prompt(session!.id, 'go');
    await workbench.offered('Allow');
    await run!.cancel({ sessionId: session!.id });
    await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    assert.deepEqual(await turn, { stopReason: 'cancelled' });
  });

  it('asks for a login method', async () => {
    const run = await (await agentLogs()).start('Locked');
    const opening = run.newSession();
    const rows = await workbench.quickPickRowsUntil((all) => all.length === 2);
    await workbench.screenshot('10-login');
    await workbench.pick(rows[1]!.label);
    assert.ok(await opening);
  });

  it('reports a crash once, and offers a restart', async () => {
    const run = await crashedRun();
    await workbench.notified('Crashes exited with code');
    assert.match(run.termination?.stderr?.head ?? '', /\S/);
    const termination = await execute('agentLogs.showTermination', run.id);
    assert.deepEqual(termination, run.termination);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /Exit code:/);
    await execute('agentLogs.sessions.focus');
    await workbench.row(({ description }) => /^exit \d+ · ".+"/.test(description));
    // Titles tell runs apart by the second in which they started.
    const { receivedAt } = run.records()[0]!;
    await poll(Date.now).until((now) => now >= receivedAt + 1000);
    await workbench.answerNotification('Crashes exited', 'Restart');
    await restarted(run);
    await execute('notifications.clearAll');
  });

  it("asks for inputs, hides secrets, and doesn't ask again after a crash", async () => {
    await configure('restart.policy', 'on-crash');
    const starting = (await agentLogs()).start('Asked');
    const input = workbench.page.locator('.quick-input-widget input.input');
    await workbench.asks('Asked: token');
    assert.equal(await input.getAttribute('type'), 'password');
    await workbench.answer('Asked: token', 'f8Zk2-vGqT7w-99xQ');
    await workbench.asks('Asked: name');
    assert.notEqual(await input.getAttribute('type'), 'password');
    await workbench.answer('Asked: name', 'Ada');
    const run = await starting;
    assert.equal((await recordOf(run, ({ message }) => message.includes('Ada'))).message.includes('f8Zk2'), false);
    await assert.rejects(run.prompt(await run.newSession(), 'go'));
    await restarted(run);
    assert.equal(await workbench.page.locator('.quick-input-widget').isVisible(), false);
    await configure('restart.policy', undefined);
    await execute('notifications.clearAll');
  });

  it('tells two runs of one agent apart, in pickers and tabs', async () => {
    const runs = (await agentLogs()).runs.filter(({ name }) => name === 'Crashes');
    assert.equal(runs.length, 2, 'one that crashed, and the one that was started instead');
    const picked = execute('agentLogs.export');
    const rows = await workbench.quickPickRows();
    await workbench.screenshot('19-equal-runs');
    const about = rows.filter(({ label }) => label === 'Crashes').map(({ description }) => description);
    assert.deepEqual([new Set(about).size >= 2, about.every((text) => /^\d\d:\d\d:\d\d · /.test(text))], [true, true]);
    await workbench.page.keyboard.press('Escape');
    await picked;
    for (const { id: runId } of runs) await execute('agentLogs.openExplorer', { runId });
    const logs = (): string[] => tabs().filter((label) => /^Crashes.*– Log$/.test(label));
    const isTimed = (label: string): boolean => /^Crashes · .*\d\d:\d\d/.test(label);
    const titles = await poll(logs).until((all) => all.length === 2 && all.every(isTimed));
    await workbench.screenshot('20-equal-tabs');
    assert.equal(new Set(titles).size, 2);
    await execute('workbench.action.closeActiveEditor');
    await poll(logs).until((all) => all.length === 1 && all[0] === 'Crashes – Log');
    await execute('workbench.action.closeAllEditors');
  });

  it('adds an MCP server by its URL', async () => {
    await configureAgents({});
    await workbench.runCommand('Agent Logs: Add Agent…');
    await workbench.filterQuickInput('An MCP server');
    await workbench.page.keyboard.press('Enter');
    await workbench.answer('or its URL', 'http://127.0.0.1:3001/mcp');
    await workbench.answer('Name of the server', 'Remote');
    await workbench.offered('Workspace settings');
    await workbench.pick('Workspace settings');
    assert.deepEqual(await configuredAgent('Remote'), { protocol: 'mcp', url: 'http://127.0.0.1:3001/mcp' });
    await execute('notifications.clearAll');
  });
});
