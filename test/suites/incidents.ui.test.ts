import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExplorerPage } from './explorerPage';
import { pressTwice } from './rows';
import { agentLogs, configureAgents, endAll, fake } from './support';
import { eventually, Workbench } from './workbench';

describe('In the window: errors', () => {
  let workbench: Workbench;

  before(async () => {
    await agentLogs();
    workbench = await Workbench.connect();
    await configureAgents({
      Crashes: fake('crashesInTurn'),
      AtOnce: fake('crashesAtOnce'),
      Leaves: fake('noFinalNewline'),
    });
  });

  beforeEach(() => vscode.commands.executeCommand('notifications.clearAll'));

  afterEach(endAll);

  after(async () => {
    await configureAgents({});
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  /** The notifications once the last one has appeared. */
  async function toldBefore(last: string): Promise<string[]> {
    await vscode.commands.executeCommand('agentLogs.callTool');
    return eventually(
      () => workbench.notifications(),
      (texts) => texts.includes(last),
    );
  }

  it('are reported once if a command waited for an agent that crashed, with a link to its output', async () => {
    const run = await (await agentLogs()).start('Crashes');
    const done = vscode.commands.executeCommand('agentLogs.prompt');
    await workbench.answer('Send a prompt to Crashes', 'go');
    await done;
    await workbench.notified('Crashes exited with code 7');
    assert.equal(run.state, 'ended');
    const texts = await toldBefore('No MCP server is running. Start one first.');
    assert.deepEqual(texts.filter((text) => text.startsWith('Crashes')).length, 1, texts.join('\n'));
    await workbench.answerNotification('Crashes exited', 'Show Output');
    // The end of the output has the name of its journal.
    await workbench.outputLinesUntil((all) => all.some((line) => line.includes('Crashes')));
  });

  it("are reported once if two commands wait for an agent that doesn't start", async () => {
    await (await agentLogs()).start('Leaves');
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await workbench.treeRowsUntil('Sessions', (rows) =>
      rows.some(({ label, description }) => label === 'Leaves' && description.startsWith('running')),
    );
    const tree = workbench.page.getByRole('tree', { name: 'Sessions', exact: true });
    await eventually(
      () => pressTwice(tree, { label: 'AtOnce', selector: '[role="button"][aria-label^="Start"]' }),
      (isPressed) => isPressed,
    );
    await workbench.notified('AtOnce exited');
    const texts = await toldBefore('No MCP server is running. Start one first.');
    assert.equal(texts.filter((text) => text.startsWith('AtOnce')).length, 1, texts.join('\n'));
    await workbench.screenshot('incident-1-not-started');
  });

  it('include agents that exit without an error', async () => {
    const run = await (await agentLogs()).start('Leaves');
    await run.prompt(await run.newSession(), 'go').catch(() => undefined);
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.includes('Leaves exited without an error.'),
    );
  });

  it('explain a crash with one click', async () => {
    const run = await (await agentLogs()).start('Crashes');
    await assert.rejects(run.prompt(await run.newSession(), 'go'));
    await workbench.notified('Crashes exited');
    await workbench.answerNotification('Crashes exited', 'Why?');
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByRole('heading', { name: 'Agent exited unexpectedly' }).waitFor();
    await page.details.getByText('If it ends again, its stderr tells its developers why').waitFor();
    await workbench.screenshot('incident-3-why');
  });

  it("link to the extension's log if they concern no run", async () => {
    await toldBefore('No MCP server is running. Start one first.');
    await workbench.answerNotification('No MCP server is running', 'Show Log');
    await workbench.outputLinesUntil((lines) =>
      lines.some((line) => line.includes('[error] No MCP server is running.')),
    );
    await workbench.screenshot('incident-2-log');
  });
});

describe('In the window: the palette', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.connect();
    await (await agentLogs()).start('Sample Agent');
  });

  after(async () => {
    await endAll();
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  /** Commands that act without asking anything, or open a page. Other tests cover them. */
  const askNothing = new Set([
    'startSampleAgent',
    'stop',
    'restart',
    'newSession',
    'clear',
    'nextProblem',
    'previousProblem',
    'share',
  ]);

  it('has only commands that can be dismissed with Escape', async function () {
    this.timeout(240_000); // some twenty commands
    const { contributes } = vscode.extensions.getExtension('agent-logs.agent-logs')!.packageJSON as {
      contributes: { commands: { command: string }[]; menus: { commandPalette: { command: string; when: string }[] } };
    };
    const hidden = new Set(
      contributes.menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
    );
    const asking = contributes.commands
      .map(({ command }) => command)
      .filter((command) => !hidden.has(command) && !askNothing.has(command.replace('agentLogs.', '')));
    assert.ok(asking.length > 10);
    for (const command of asking) {
      let isDone = false;
      const done = Promise.resolve(vscode.commands.executeCommand(command)).finally(() => (isDone = true));
      await eventually(
        async () => {
          if (await workbench.page.locator('.quick-input-widget').isVisible()) {
            await workbench.page.keyboard.press('Escape');
          }
          return isDone;
        },
        (is) => is,
      ).catch(() => assert.fail(`${command} does not end`));
      await done; // including errors
    }
  });
});
