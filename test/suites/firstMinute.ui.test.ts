import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentLogs, configureAgents, copied, endAll } from './support';
import { eventually, Workbench } from './workbench';

describe('In the window: the first minute', () => {
  let workbench: Workbench;

  const settingsFile = (): vscode.Uri =>
    vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.vscode', 'settings.json');

  before(async () => {
    await agentLogs();
    workbench = await Workbench.connect();
    await configureAgents({});
  });

  after(async () => {
    // As an edit, because the next suite couldn't write a file that changed under an open document.
    const document = await vscode.workspace.openTextDocument(settingsFile());
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), '{}\n');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    // No setting can be written before this is saved and read.
    const areRead = (): boolean =>
      !document.isDirty &&
      vscode.workspace.getConfiguration('agentLogs').inspect('agents')?.workspaceValue === undefined;
    await eventually(
      () => Promise.resolve(areRead()),
      (are) => are,
    );
    await endAll();
  });

  it('offers agents from the settings of other clients, and adds one', async () => {
    const settings = { 'acp.agents': { Goose: { command: 'goose-of-mine', args: ['acp'] } } };
    await vscode.workspace.fs.writeFile(settingsFile(), Buffer.from(JSON.stringify(settings)));
    await eventually(
      () => Promise.resolve(vscode.workspace.getConfiguration().get<Record<string, unknown>>('acp.agents')),
      (agents) => agents !== undefined,
    );
    await workbench.runCommand('Agent Logs: Add Agent…');
    const rows = await workbench.quickPickRowsUntil((all) => all.some(({ label }) => label === 'Goose'));
    assert.equal(rows.find(({ label }) => label === 'Goose')?.description, 'from acp.agents');
    await workbench.screenshot('16-other-clients');
    await workbench.pick('Goose');
    await workbench.page.locator('.quick-input-title', { hasText: 'Name of the agent' }).waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.offered('Workspace settings');
    await workbench.pick('Workspace settings');
    const agents = await eventually(
      () => Promise.resolve(vscode.workspace.getConfiguration('agentLogs').get<Record<string, unknown>>('agents')),
      (all) => all !== undefined && 'Goose' in all,
    );
    assert.deepEqual(agents?.['Goose'], { command: 'goose-of-mine', args: ['acp'] });
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('shows how to install a missing agent', async () => {
    await workbench.runCommand('Agent Logs: Add Agent…');
    await workbench.filterQuickInput('pi-acp');
    await workbench.pick('pi');
    await workbench.answerNotification('To install it, run "npm install -g pi-acp"', 'Copy Command');
    await copied((text) => text === 'npm install -g pi-acp');
    await workbench.answerNotification('Add pi once', 'Add pi');
    await workbench.page.locator('.quick-input-title', { hasText: 'Command that starts the agent' }).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('shows an invalid agent in the tree, and opens its settings', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await configureAgents({ Good: { command: 'x' }, Bad: { command: 'x', level: 'warn' } });
    const rows = await workbench.treeRowsUntil('Sessions', (all) => all.some(({ label }) => label === 'Bad'));
    assert.deepEqual(
      rows
        .filter(({ label }) => label === 'Good' || label === 'Bad')
        .map(({ label, description }) => [label, description]),
      [
        ['Good', 'not started'],
        ['Bad', 'level must be "warning", not "warn".'],
      ],
    );
    await workbench.screenshot('18-mistake-row');
    await workbench.clickTreeRow('Sessions', 'Bad');
    await eventually(
      () => Promise.resolve(vscode.window.activeTextEditor?.document.uri.path),
      (path) => path === settingsFile().path,
    );
  });

  it('underlines a mistake in the settings until it is fixed', async () => {
    const document = await vscode.workspace.openTextDocument(settingsFile());
    await vscode.window.showTextDocument(document);
    const ours = (): readonly vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Agent Logs');
    const [mistake] = await eventually(
      () => Promise.resolve(ours()),
      (all) => all.length === 1,
    );
    assert.equal(document.getText(mistake!.range), '"warn"');
    assert.match(mistake!.message, /`level` must be "warning"/);
    await workbench.screenshot('17-mistake');
    await configureAgents({ Bad: { command: 'x', level: 'warning' } });
    await eventually(
      () => Promise.resolve(ours()),
      (all) => all.length === 0,
    );
  });
});
