import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { configureAgents, configuredAgent, copied, execute, inWindow, mistakes } from './support';
import { eventually, poll } from './waiting';

describe('In the window: the first minute', () => {
  const workbench = inWindow();

  const settingsFile = (): vscode.Uri =>
    vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.vscode', 'settings.json');

  after(async () => {
    // As an edit, because the next suite couldn't write a file that changed under an open document.
    const document = await vscode.workspace.openTextDocument(settingsFile());
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), '{}\n');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    // No setting can be written before this is saved and read.
    const settings = (): unknown => vscode.workspace.getConfiguration('agentLogs').inspect('agents')?.workspaceValue;
    await eventually(() => !document.isDirty && settings() === undefined);
  });

  it('offers agents from the settings of other clients, and adds one', async () => {
    const settings = { 'acp.agents': { Goose: { command: 'goose-of-mine', args: ['acp'] } } };
    await vscode.workspace.fs.writeFile(settingsFile(), Buffer.from(JSON.stringify(settings)));
    await eventually(() => vscode.workspace.getConfiguration().get<Record<string, unknown>>('acp.agents'));
    await workbench.runCommand('Agent Logs: Add Agent…');
    const rows = await workbench.offered('Goose');
    assert.equal(rows.find(({ label }) => label === 'Goose')?.description, 'from acp.agents');
    await workbench.screenshot('16-other-clients');
    await workbench.pick('Goose');
    await workbench.asks('Name of the agent');
    await workbench.page.keyboard.press('Enter');
    await workbench.offered('Workspace settings');
    await workbench.pick('Workspace settings');
    assert.deepEqual(await configuredAgent('Goose'), { command: 'goose-of-mine', args: ['acp'] });
    await execute('notifications.clearAll');
  });

  it('shows how to install a missing agent', async () => {
    await workbench.runCommand('Agent Logs: Add Agent…');
    await workbench.filterQuickInput('pi-acp');
    await workbench.pick('pi');
    await workbench.answerNotification('To install it, run "npm install -g pi-acp"', 'Copy Command');
    await copied((text) => text === 'npm install -g pi-acp');
    await workbench.answerNotification('Add pi once', 'Add pi');
    await workbench.asks('Command that starts the agent');
    await workbench.page.keyboard.press('Escape');
  });

  it('shows an invalid agent in the tree, and opens its settings', async () => {
    await execute('workbench.action.closeAllEditors');
    await execute('agentLogs.sessions.focus');
    await configureAgents({ Good: { command: 'x' }, Bad: { command: 'x', level: 'warn' } });
    await workbench.row((row) => row.label === 'Good' && row.description === 'not started');
    const mistake = 'level must be "warning", not "warn".';
    await workbench.row((row) => row.label === 'Bad' && row.description === mistake);
    await workbench.screenshot('18-mistake-row');
    await workbench.clickTreeRow('Bad');
    await poll(() => vscode.window.activeTextEditor?.document.uri.path).until((path) => path === settingsFile().path);
  });

  it('underlines a mistake in the settings until it is fixed', async () => {
    const document = await vscode.workspace.openTextDocument(settingsFile());
    await vscode.window.showTextDocument(document);
    const [mistake] = await poll(mistakes).until((all) => all.length === 1);
    assert.equal(document.getText(mistake!.range), '"warn"');
    assert.match(mistake!.message, /`level` must be "warning"/);
    await workbench.screenshot('17-mistake');
    await configureAgents({ Bad: { command: 'x', level: 'warning' } });
    await poll(mistakes).until((all) => all.length === 0);
  });
});
