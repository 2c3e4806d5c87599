import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentLogs, configureAgents, configureUser, endAll, fake, recordOf } from './support';
import { eventually, Workbench } from './workbench';

const endless = '(a+)+$';

describe("In the window: the user's redaction patterns", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.connect();
    await configurePatterns(['ACME-\\d+', endless]);
    await configureAgents({ Hostile: fake('asksPermission', `${'a'.repeat(40)}! ACME-17`) });
  });

  after(async () => {
    await endAll();
    await configurePatterns(undefined);
    await configureAgents({});
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  function configurePatterns(patterns: readonly string[] | undefined): Promise<void> {
    return configureUser('redaction.patterns', patterns);
  }

  function marks(): readonly string[] {
    return vscode.languages
      .getDiagnostics()
      .flatMap(([, diagnostics]) => diagnostics)
      .filter(({ source }) => source === 'Agent Logs')
      .map(({ message }) => message);
  }

  it('disable a slow pattern with a warning and a mark in the settings, and keep the others', async () => {
    assert.deepEqual(marks(), []);
    const run = await (await agentLogs()).start('Hostile');
    const turn = run.prompt(await run.newSession(), 'go');
    const asked = await recordOf(run, ({ message }) => message.startsWith('asked for: '));
    assert.doesNotMatch(JSON.stringify(asked), /ACME-17/);
    await workbench.offered('Allow');
    await workbench.page.keyboard.press('Escape');
    await turn;
    await workbench.notified('agentLogs.redaction.patterns[1] took too long');
    // The button opens the file with the pattern, which isn't the user's in a remote window.
    await workbench.answerNotification('took too long', 'Open Setting');
    const found = await eventually(
      () => Promise.resolve(marks()),
      ({ length }) => length > 0,
    );
    assert.equal(found.length, 1);
    await workbench.screenshot('redaction-1-disabled');
  });

  it('enable it again when the setting changes', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await configurePatterns(['ACME-\\d+']);
    await eventually(
      () => Promise.resolve(marks()),
      ({ length }) => length === 0,
    );
  });
});
