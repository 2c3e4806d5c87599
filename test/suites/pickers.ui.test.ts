import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentLogs, configure, configureAgents, endAll, fake, recordOf } from './support';
import { eventually, Workbench } from './workbench';

describe('In the window: questions', () => {
  let workbench: Workbench;

  before(async () => {
    await agentLogs();
    workbench = await Workbench.connect();
    await configureAgents({
      Asks: fake('asksPermission', `${'true; '.repeat(20)}rm -rf ~ # the end`),
      Hides: fake('asksPermission', `${'true; '.repeat(500)}rm -rf\u200b ~ # the end`),
      Locked: fake('needsAuth'),
      Crashes: fake('crashesInTurn'),
      Asked: fake('crashesInTurn', '${input:token}', '${input:name}'),
    });
  });

  after(async () => {
    await endAll();
    await configureAgents({});
  });

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
    await eventually(
      () => Promise.resolve(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label)),
      (labels) => !labels.some((label) => label.includes('permission')),
    );
    await run.stop();
  });

  it('closes the picker when the turn is cancelled', async () => {
    const run = (await agentLogs()).runs.find(({ name }) => name === 'Asks');
    const [session] = run!.sessions;
    const turn = run!.prompt(session!.id, 'go');
    await workbench.offered('Allow');
    await run!.cancel({ sessionId: session!.id });
    await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    assert.deepEqual(await turn, { stopReason: 'cancelled' });
  });

  it('rejects without asking if the setting says so', async () => {
    await configure('permissions', 'reject');
    const run = (await agentLogs()).runs.find(({ name }) => name === 'Asks');
    await run!.prompt(run!.sessions[0]!.id, 'go');
    await configure('permissions', undefined);
    assert.equal(await workbench.page.locator('.quick-input-widget').isVisible(), false);
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
    const api = await agentLogs();
    const run = await api.start('Crashes');
    await assert.rejects(run.prompt(await run.newSession(), 'go'));
    await workbench.notified('Crashes exited with code');
    await workbench.screenshot('12-crash');
    assert.match(run.termination?.stderr?.head ?? '', /\S/);
    const termination = await vscode.commands.executeCommand('agentLogs.showTermination', run.id);
    assert.deepEqual(termination, run.termination);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /Exit code:/);
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await workbench.treeRowsUntil('Sessions', (rows) =>
      rows.some(({ description }) => /^exit \d+ · ".+"/.test(description)),
    );
    await workbench.screenshot('14-termination');
    await workbench.answerNotification('Crashes exited', 'Restart');
    await eventually(
      () => Promise.resolve(api.runs[0]!),
      (first) => first.name === 'Crashes' && first.id !== run.id && first.state === 'running',
    );
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it("asks for inputs, hides secrets, and doesn't ask again after a crash", async () => {
    await configure('restart.policy', 'on-crash');
    const api = await agentLogs();
    const starting = api.start('Asked');
    const input = workbench.page.locator('.quick-input-widget input.input');
    await workbench.page.locator('.quick-input-title', { hasText: 'Asked: token' }).waitFor();
    assert.equal(await input.getAttribute('type'), 'password');
    await workbench.answer('Asked: token', 'f8Zk2-vGqT7w-99xQ');
    await workbench.page.locator('.quick-input-title', { hasText: 'Asked: name' }).waitFor();
    assert.notEqual(await input.getAttribute('type'), 'password');
    await workbench.answer('Asked: name', 'Ada');
    const run = await starting;
    assert.equal((await recordOf(run, ({ message }) => message.includes('Ada'))).message.includes('f8Zk2'), false);
    await assert.rejects(run.prompt(await run.newSession(), 'go'));
    await eventually(
      () => Promise.resolve(api.runs[0]!),
      (first) => first.name === 'Asked' && first.id !== run.id && first.state === 'running',
    );
    assert.equal(await workbench.page.locator('.quick-input-widget').isVisible(), false);
    await configure('restart.policy', undefined);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('tells two runs of one agent apart, in pickers and tabs', async () => {
    const runs = (await agentLogs()).runs.filter(({ name }) => name === 'Crashes');
    assert.equal(runs.length, 2, 'one that crashed, and the one that was started instead');
    const picked = vscode.commands.executeCommand('agentLogs.export');
    const rows = await workbench.quickPickRows();
    await workbench.screenshot('19-equal-runs');
    const about = rows.filter(({ label }) => label === 'Crashes').map(({ description }) => description);
    assert.deepEqual([new Set(about).size >= 2, about.every((text) => /^\d\d:\d\d:\d\d · /.test(text))], [true, true]);
    await workbench.page.keyboard.press('Escape');
    await picked;
    for (const { id: runId } of runs) await vscode.commands.executeCommand('agentLogs.openExplorer', { runId });
    const tabs = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    const titles = await eventually(
      () => Promise.resolve(tabs().filter((label) => /^Crashes.*– Log$/.test(label))),
      (all) => all.length === 2 && all.every((label) => /^Crashes · .*\d\d:\d\d/.test(label)),
    );
    await workbench.screenshot('20-equal-tabs');
    assert.equal(new Set(titles).size, 2);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await eventually(
      () => Promise.resolve(tabs().filter((label) => /^Crashes.*– Log$/.test(label))),
      (all) => all.length === 1 && all[0] === 'Crashes – Log',
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const configured = async (name: string): Promise<unknown> => {
    const agents = await eventually(
      () => Promise.resolve(vscode.workspace.getConfiguration('agentLogs').get<Record<string, unknown>>('agents')),
      (all) => all !== undefined && name in all,
    );
    return agents?.[name];
  };

  it('adds an agent step by step', async () => {
    await configureAgents({});
    await workbench.runCommand('Agent Logs: Add Agent…');
    await workbench.offered('A command of your own');
    await workbench.screenshot('13-add-agent');
    await workbench.page.keyboard.press('Enter');
    await workbench.answer('Command that starts the agent', 'my-agent --acp "two words"');
    await workbench.answer('Name of the agent', 'Mine');
    await workbench.offered('Workspace settings');
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('Enter');
    assert.deepEqual(await configured('Mine'), { command: 'my-agent', args: ['--acp', 'two words'] });
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('adds an MCP server by its URL', async () => {
    await workbench.runCommand('Agent Logs: Add Agent…');
    await workbench.filterQuickInput('An MCP server');
    await workbench.page.keyboard.press('Enter');
    await workbench.answer('or its URL', 'http://127.0.0.1:3001/mcp');
    await workbench.answer('Name of the server', 'Remote');
    await workbench.offered('Workspace settings');
    await workbench.pick('Workspace settings');
    assert.deepEqual(await configured('Remote'), { protocol: 'mcp', url: 'http://127.0.0.1:3001/mcp' });
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});
