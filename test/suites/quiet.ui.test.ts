import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentLogs, configureAgents, endAll, execute, inWindow, recordOf } from './support';
import { poll } from './waiting';

const output = '.part.panel .output-view';

describe('In the window: no surprises', () => {
  const workbench = inWindow();

  afterEach(endAll);

  after(async () => {
    // The level is remembered, but other suites expect that of the setting.
    await execute('agentLogs.setLevel', { agent: 'Sample Agent', level: 'info' });
  });

  it("doesn't open the Output view, whatever is logged or set", async () => {
    const run = await (await agentLogs()).start('Sample Agent');
    const opened: string[] = [];
    const listener = vscode.window.onDidChangeVisibleTextEditors((editors) => {
      opened.push(...editors.map(({ document }) => document.uri.toString()).filter((uri) => uri.startsWith('output:')));
    });
    try {
      await run.prompt(await run.newSession(), '/levels');
      // What the channel lets through depends on what was set before.
      for (const level of ['debug', 'warning'] as const) {
        const { shown, agent } = await run.setLevel(level);
        assert.deepEqual([shown, agent], [true, 'applied']);
      }
      assert.equal(await workbench.page.locator(output).isVisible(), false);
    } finally {
      listener.dispose();
    }
    assert.deepEqual(opened, []);
  });

  it("doesn't close an Output view that the user opened", async () => {
    const run = await (await agentLogs()).start('Sample Agent');
    await run.setLevel('info');
    await run.setLevel('debug');
    await execute('agentLogs.showOutput', run.id);
    await workbench.page.locator(output).waitFor();
    await recordOf(run, ({ kind }) => kind === 'log');
    assert.equal(await workbench.page.locator(output).isVisible(), true);
    await execute('workbench.action.closePanel');
  });

  it('keeps the active panel when a level changes', async () => {
    const run = await (await agentLogs()).start('Sample Agent');
    await execute('workbench.actions.view.problems');
    await workbench.page.locator('.part.panel .markers-panel').waitFor();
    for (const level of ['error', 'debug', 'warning'] as const) await run.setLevel(level);
    assert.equal(await workbench.page.locator('.part.panel .markers-panel').isVisible(), true);
    await execute('workbench.action.closePanel');
  });

  it('makes no links of text from agents', async () => {
    const script = `
      process.stdin.once('data', (line) => {
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: { protocolVersion: 1 } }) + '\\n');
        process.stderr.write('Error: [Open the log](command:workbench.action.toggleZenMode)\\n', () => process.exit(1));
      });`;
    await configureAgents({
      Links: { command: process.execPath, args: ['-e', script], env: { ELECTRON_RUN_AS_NODE: '1' } },
    });
    await (await agentLogs()).start('Links').catch(() => undefined);
    await workbench.notified('Open the log');
    assert.equal(await workbench.page.locator('.notifications-center a[href^="command:workbench"]').count(), 0);
    await execute('notifications.clearAll');
  });

  it('ignores Enter right after a permission picker opens', async () => {
    const run = await (await agentLogs()).start('Sample Agent');
    const turn = run.prompt(await run.newSession(), '/permission');
    await workbench.asks('asks for permission');
    const first = workbench.page.locator('.quick-input-widget .quick-input-list .monaco-list-row').first();
    assert.match(await first.innerText(), /rejects/);
    // What isn't ignored any more, as on a busy machine, rejects.
    await poll(async () => {
      await workbench.page.keyboard.press('Enter');
      return run.records({ text: 'answered:' });
    }).until((answers) => answers.length > 0);
    assert.ok(run.records({ text: 'answered:' }).every(({ message }) => !/allow/i.test(message)));
    await turn;
  });
});
