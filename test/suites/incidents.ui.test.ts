import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExplorerPage } from './explorerPage';
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
      'No Folder': { ...fake('silent'), cwd: '/no/such/folder' },
      'No Program': { command: '/no/such/uvx', args: ['some-agent'] },
      'No Server': { protocol: 'mcp', url: 'http://127.0.0.1:9/mcp' },
    });
  });

  beforeEach(() => vscode.commands.executeCommand('notifications.clearAll'));

  afterEach(endAll);

  after(async () => {
    await configureAgents({});
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await workbench.disconnect();
  });

  /** The notifications once the last one has appeared. */
  async function toldBefore(last: string): Promise<string[]> {
    await vscode.commands.executeCommand('agentLogs.callTool');
    return eventually(
      () => workbench.notifications(),
      (texts) => texts.includes(last),
    );
  }

  it('are reported once if a command waited for an agent that crashed', async () => {
    const run = await (await agentLogs()).start('Crashes');
    const done = vscode.commands.executeCommand('agentLogs.prompt');
    await workbench.answer('Send a prompt to Crashes', 'go');
    await done;
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.startsWith('Crashes exited with code 7')),
    );
    assert.equal(run.state, 'ended');
    const texts = await toldBefore('No MCP server is running. Start one first.');
    assert.deepEqual(texts.filter((text) => text.startsWith('Crashes')).length, 1, texts.join('\n'));
  });

  it("are reported once if two commands wait for an agent that doesn't start", async () => {
    await (await agentLogs()).start('Leaves');
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await eventually(
      () => workbench.treeRows('Sessions'),
      (rows) => rows.some(({ label, description }) => label === 'Leaves' && description.startsWith('running')),
    );
    await workbench.pressTreeActionTwice('Sessions', 'AtOnce', 'Start');
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.startsWith('AtOnce exited')),
    );
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

  it('link to the output of their run', async () => {
    await (await agentLogs()).start('Crashes').then(async (run) => {
      await assert.rejects(run.prompt(await run.newSession(), 'go'));
    });
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.startsWith('Crashes exited')),
    );
    await workbench.answerNotification('Crashes exited', 'Show Output');
    // The end of the output has the name of its journal.
    await eventually(
      () => workbench.outputLines(),
      (all) => all.some((line) => line.includes('Crashes')),
    );
  });

  it('explain a crash with one click', async () => {
    const run = await (await agentLogs()).start('Crashes');
    await assert.rejects(run.prompt(await run.newSession(), 'go'));
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.startsWith('Crashes exited')),
    );
    await workbench.answerNotification('Crashes exited', 'Why?');
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByRole('heading', { name: 'Agent exited unexpectedly' }).waitFor();
    await page.details.getByText('If it ends again, its stderr tells its developers why').waitFor();
    await workbench.screenshot('incident-3-why');
  });

  const unstartable = [
    ['No Folder', "The folder /no/such/folder doesn't exist", 'Folder not found', 'Open Setting'],
    ['No Program', 'It comes with uv: install that', 'Program not found', 'Install uv…'],
    ['No Server', 'the connection was refused', 'Request failed', 'Open Setting'],
  ] as const;
  for (const [name, text, title, button] of unstartable) {
    it(`say the same as the explanation, with the same button: ${name}`, async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await workbench.runCommand('Agent Logs: Start Agent…');
      await eventually(
        () => workbench.quickPickRows(),
        (all) => all.some(({ label }) => label === name),
      );
      await workbench.pick(name);
      const said = await eventually(
        () => workbench.notifications(),
        (texts) => texts.some((one) => one.includes(text)),
      );
      assert.ok(said.some((one) => one.startsWith(`${name}: `)));
      await workbench.answerNotification(text, 'Why?');
      const page = await new ExplorerPage(workbench).ready();
      await page.details.getByRole('heading', { name: title }).waitFor();
      await page.details.getByText(text).first().waitFor();
      await page.details.getByRole('button', { name: button }).waitFor();
      assert.equal(
        await page.details.getByRole('button', { name: 'Copy Command' }).count(),
        name === 'No Program' ? 1 : 0,
      );
      await workbench.screenshot(`incident-4-${name.toLowerCase().replace(' ', '-')}`);
    });
  }

  it("link to the extension's log if they concern no run", async () => {
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
