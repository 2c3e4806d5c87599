import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { agentLogs, configure, configureAgents, endAll, execute, fake, inWindow } from './support';
import { poll } from './waiting';

const output = '.part.panel .output-view';
/** A level that the channel takes once it is shown. */
const laterInChannel = { shown: true, agent: 'applied', channel: false, channelWhenShown: true };
const terminalView = '.part.panel .terminal-wrapper';

describe('In the window: the level of an output channel', () => {
  const agents = { Able: fake('setsLevel'), Other: fake('setsLevel'), Behind: fake('setsLevel') };
  const workbench = inWindow(agents);

  afterEach(endAll);

  after(async () => {
    // The level is remembered.
    await configureAgents(agents);
    for (const agent of Object.keys(agents)) await execute('agentLogs.setLevel', { agent, level: 'info' });
    await configureAgents({});
  });

  async function show(run: Run): Promise<void> {
    await execute('agentLogs.showOutput', run.id);
    await workbench.page.locator(output).waitFor();
    await poll(() => vscode.window.visibleTextEditors).until((editors) =>
      editors.some(({ document, viewColumn }) => viewColumn === undefined && isOutputOf(document, run)),
    );
  }

  /** The level of the run follows the channel's. */
  async function chooseWithGear(run: Run, level: vscode.LogLevel): Promise<void> {
    const before = run.level;
    await execute(`workbench.action.output.activeOutputLogLevel.${level}`);
    await poll(() => run.level).until((now) => now !== before);
  }

  /** Lets the agent log until a line of its channel has these parts. */
  async function logsUntil(run: Run, sessionId: string, ...parts: readonly string[]): Promise<void> {
    await poll(async () => {
      await run.prompt(sessionId, 'log');
      return workbench.outputLines();
    }).until((lines) => lines.some((line) => parts.every((part) => line.includes(part))));
  }

  function isOutputOf({ uri }: vscode.TextDocument, run: Run): boolean {
    return uri.scheme === 'output' && uri.path.includes(`.${run.name}`);
  }

  it("becomes the agent's level when it's chosen with the gear, even if we chose it before", async () => {
    const run = await (await agentLogs()).start('Able');
    await show(run);
    assert.equal((await run.setLevel('debug')).channel, true);
    for (const [chosen, level] of [
      [vscode.LogLevel.Warning, 'warning'],
      [vscode.LogLevel.Debug, 'debug'],
      [vscode.LogLevel.Info, 'info'],
    ] as const) {
      await chooseWithGear(run, chosen);
      assert.equal(run.level, level);
    }
  });

  it('is the last of several that were set at once', async () => {
    const run = await (await agentLogs()).start('Able');
    await show(run);
    await Promise.all([run.setLevel('debug'), run.setLevel('error'), run.setLevel('notice')]);
    assert.equal(run.level, 'notice');
    // If the channel weren't at Info now, this would change nothing.
    await chooseWithGear(run, vscode.LogLevel.Debug);
  });

  it('is raised when the channel is opened, even if the gear had lowered it', async () => {
    const run = await (await agentLogs()).start('Able');
    await show(run);
    await chooseWithGear(run, vscode.LogLevel.Error);
    await execute('workbench.action.closePanel');
    await poll(() => vscode.window.visibleTextEditors).until(
      (editors) => !editors.some(({ document }) => isOutputOf(document, run)),
    );
    assert.deepEqual(await run.setLevel('info'), laterInChannel);
    const sessionId = await run.newSession();
    await show(run);
    await logsUntil(run, sessionId, '[info]');
    assert.equal(run.level, 'info');
  });

  it("changes no other channel, even if the agent's own log is open in a tab", async () => {
    const api = await agentLogs();
    const [able, other] = [await api.start('Able'), await api.start('Other')];
    await show(able);
    await execute('workbench.action.openActiveLogOutputFile');
    await poll(() => vscode.window.visibleTextEditors).until((editors) =>
      editors.some(({ viewColumn }) => viewColumn !== undefined),
    );
    await show(other);
    await chooseWithGear(other, vscode.LogLevel.Warning);
    const { channel, channelWhenShown } = await able.setLevel('debug');
    assert.deepEqual({ channel, channelWhenShown }, { channel: false, channelWhenShown: true });
    assert.equal(other.level, 'warning');
    assert.equal((await other.setLevel('debug')).channel, true);
    await execute('workbench.action.closeActiveEditor');
  });

  it('leaves a terminal in front, and changes when the channel is opened', async () => {
    const run = await (await agentLogs()).start('Behind');
    const terminal = vscode.window.createTerminal('In front');
    try {
      terminal.show();
      await workbench.page.locator(terminalView).waitFor();
      assert.deepEqual(await run.setLevel('debug'), laterInChannel);
      assert.equal(await workbench.page.locator(terminalView).isVisible(), true);
      const sessionId = await run.newSession();
      await run.prompt(sessionId, 'log');
      // The same as choosing it from the view's list of channels.
      const commands = await vscode.commands.getCommands();
      const show = commands.find((id) => id.startsWith('workbench.action.output.show.') && id.includes('.Behind'));
      await execute(show ?? 'there is no such command');
      // Debug was written as info while the channel was closed.
      await workbench.outputLinesUntil((lines) =>
        lines.some((line) => line.includes('[info]') && line.includes('This is debug')),
      );
      await logsUntil(run, sessionId, '[debug]', 'This is debug');
    } finally {
      terminal.dispose();
    }
  });

  it('shows the level of each agent, and which agents are running, in the picker', async () => {
    const api = await agentLogs();
    await api.start('Able');
    await (await api.start('Other')).setLevel('error');
    const asked = execute('agentLogs.setLevel');
    const rows = await workbench.quickPickRowsUntil((all) => all.some(({ label }) => label === 'Behind'));
    assert.deepEqual(
      rows.slice(0, 3).map(({ label, description }) => [label, description]),
      [
        ['Able', 'debug · running'],
        ['Other', 'error · running'],
        ['Behind', 'debug'],
      ],
    );
    await workbench.page.keyboard.press('Escape');
    await asked;
  });

  it('lets wire lines through as soon as the setting asks for them', async () => {
    const run = await (await agentLogs()).start('Able');
    await show(run);
    await configure('wire.show', true);
    await poll(async () => {
      await run.newSession();
      return workbench.outputLines();
    }).until((lines) => lines.some((line) => line.includes('[wire]')));
    await configure('wire.show', undefined);
  });
});
