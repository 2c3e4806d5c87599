import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentLogs, configureAgents, endAll, fake } from './support';
import { eventually, Workbench } from './workbench';

describe('In the window: what went wrong', () => {
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
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await workbench.disconnect();
  });

  /** What has been told once this, which is told last, is there. */
  async function toldBefore(last: string): Promise<string[]> {
    await vscode.commands.executeCommand('agentLogs.callTool');
    return eventually(
      () => workbench.notifications(),
      (texts) => texts.includes(last),
    );
  }

  it('is told once, though a command waited for the agent that crashed', async () => {
    const run = await (await agentLogs()).start('Crashes');
    const done = vscode.commands.executeCommand('agentLogs.prompt');
    await workbench.page.locator('.quick-input-title', { hasText: 'Send a prompt to Crashes' }).waitFor();
    await workbench.answer('go');
    await done;
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.startsWith('Crashes exited with code 7')),
    );
    assert.equal(run.state, 'ended');
    const texts = await toldBefore('No MCP server is running. Start one first.');
    assert.deepEqual(texts.filter((text) => text.startsWith('Crashes')).length, 1, texts.join('\n'));
  });

  it('is told once, though two wait for the agent that does not start', async () => {
    await (await agentLogs()).start('Leaves'); // or the tree would be empty
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    const row = workbench.treeRow('Sessions', 'AtOnce');
    await row.hover();
    // A real double click would wait until the row no longer changes.
    const start = row.getByRole('button', { name: 'Start' });
    await start.dispatchEvent('click');
    await start.dispatchEvent('click');
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.startsWith('AtOnce exited')),
    );
    const texts = await toldBefore('No MCP server is running. Start one first.');
    assert.equal(texts.filter((text) => text.startsWith('AtOnce')).length, 1, texts.join('\n'));
    await workbench.screenshot('incident-1-not-started');
  });

  it('is told of an agent that ends by itself without an error, too', async () => {
    const run = await (await agentLogs()).start('Leaves');
    await run.prompt(await run.newSession(), 'go').catch(() => undefined);
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.includes('Leaves exited without an error.'),
    );
  });

  it('leads to the output of its run', async () => {
    await (await agentLogs()).start('Crashes').then(async (run) => {
      await assert.rejects(run.prompt(await run.newSession(), 'go'));
    });
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.startsWith('Crashes exited')),
    );
    await workbench.answerNotification('Crashes exited', 'Show Output');
    // The end of it is in sight: the name of its journal.
    await eventually(
      () => workbench.outputLines(),
      (all) => all.some((line) => line.includes('Crashes')),
    );
  });

  it('leads to the log of the extension where it concerns no run', async () => {
    await toldBefore('No MCP server is running. Start one first.');
    await workbench.answerNotification('No MCP server is running', 'Show Log');
    await eventually(
      () => workbench.outputLines(),
      (lines) => lines.some((line) => line.includes('[error] No MCP server is running.')),
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
    await workbench.disconnect();
  });

  /** Those that act at once, with nothing to ask: other tests have them. */
  const askNothing = new Set([
    'startSampleAgent',
    'stop',
    'restart',
    'newSession',
    'clear',
    'nextProblem',
    'previousProblem',
  ]);

  it('has no command that cannot be left again by Escape', async function () {
    this.timeout(240_000); // some twenty commands
    const { contributes } = vscode.extensions.getExtension('agent-logs.agent-logs')!.packageJSON as {
      contributes: { commands: { command: string }[]; menus: { commandPalette: { command: string }[] } };
    };
    const hidden = new Set(contributes.menus.commandPalette.map(({ command }) => command));
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
      await done; // and what it throws
    }
  });
});
