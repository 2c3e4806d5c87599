import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentLogs, configureAgents, endAll, recordOf } from './support';
import { eventually, Workbench } from './workbench';

const output = '.part.panel .output-view';

describe('In the window: what does not happen', () => {
  let workbench: Workbench;

  before(async () => {
    await agentLogs();
    workbench = await Workbench.connect();
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  afterEach(endAll);

  after(async () => {
    // The level is remembered, and other suites start from the setting's.
    await vscode.commands.executeCommand('agentLogs.setLevel', { agent: 'Sample Agent', level: 'info' });
    await configureAgents({});
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await workbench.disconnect();
  });

  it('the Output view does not open by itself, whatever is logged or set', async () => {
    const run = await (await agentLogs()).start('Sample Agent');
    await run.prompt(await run.newSession(), '/levels');
    const { channel } = await run.setLevel('debug');
    assert.equal(channel, true);
    assert.equal((await run.setLevel('warning')).channel, true);
    await eventually(
      () => workbench.page.locator(output).isVisible(),
      (isVisible) => !isVisible,
    );
  });

  it('the Output view does not close again when it is asked for', async () => {
    const run = await (await agentLogs()).start('Sample Agent');
    await run.setLevel('info');
    await run.setLevel('debug');
    await vscode.commands.executeCommand('agentLogs.showOutput', run.id);
    await workbench.page.locator(output).waitFor();
    await recordOf(run, ({ kind }) => kind === 'log');
    assert.equal(await workbench.page.locator(output).isVisible(), true);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('a panel that the person looks at is not taken away by a change of level that needs none', async () => {
    const run = await (await agentLogs()).start('Sample Agent');
    await vscode.commands.executeCommand('workbench.actions.view.problems');
    await workbench.page.locator('.part.panel .markers-panel').waitFor();
    await run.setLevel('error');
    await run.setLevel('warning');
    assert.equal(await workbench.page.locator('.part.panel .markers-panel').isVisible(), true);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('what an agent wrote does not become a link', async () => {
    const script = `
      process.stdin.once('data', (line) => {
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: { protocolVersion: 1 } }) + '\\n');
        process.stderr.write('Error: [Open the log](command:workbench.action.toggleZenMode)\\n', () => process.exit(1));
      });`;
    await configureAgents({
      Links: { command: process.execPath, args: ['-e', script], env: { ELECTRON_RUN_AS_NODE: '1' } },
    });
    await (await agentLogs()).start('Links').catch(() => undefined);
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.includes('Open the log')),
    );
    assert.equal(await workbench.page.locator('.notifications-center a[href^="command:workbench"]').count(), 0);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('a hasty Enter does not allow what an agent asks for', async () => {
    const run = await (await agentLogs()).start('Sample Agent');
    const turn = run.prompt(await run.newSession(), '/permission');
    await workbench.page.locator('.quick-input-title', { hasText: 'asks for permission' }).waitFor();
    await workbench.page.keyboard.press('Enter');
    const rows = await workbench.quickPickRows();
    assert.match(rows[0]?.description ?? '', /rejects/);
    await eventually(
      async () => {
        await workbench.page.keyboard.press('Enter');
        return run.records({ text: 'answered:' });
      },
      (answers) => answers.length > 0,
    );
    assert.ok(run.records({ text: 'answered:' }).every(({ message }) => !/allow/i.test(message)));
    await turn;
  });
});
