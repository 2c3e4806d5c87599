import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExplorerPage } from './explorerPage';
import { pressTwice } from './rows';
import { agentLogs, crashedRun, endAll, execute, fake, inWindow, runOf } from './support';
import { eventually, poll } from './waiting';

describe('In the window: errors', () => {
  const workbench = inWindow({
    Crashes: fake('crashesInTurn'),
    AtOnce: fake('crashesAtOnce'),
    Leaves: fake('noFinalNewline'),
  });

  beforeEach(() => execute('notifications.clearAll'));

  afterEach(endAll);

  /** The notifications once one that comes after them has appeared. */
  async function toldBefore(): Promise<string[]> {
    await execute('agentLogs.callTool');
    return workbench.notified('No MCP server is running. Start one first.');
  }

  it('are reported once if a command waited for an agent that crashed, with a link to its output', async () => {
    const run = await (await agentLogs()).start('Crashes');
    const done = execute('agentLogs.prompt');
    await workbench.answer('Send a prompt to Crashes', 'go');
    await done;
    await workbench.notified('Crashes exited with code 7');
    assert.equal(run.state, 'ended');
    const texts = await toldBefore();
    assert.deepEqual(texts.filter((text) => text.startsWith('Crashes')).length, 1, texts.join('\n'));
    await workbench.answerNotification('Crashes exited', 'Show Output');
    // The end of the output has the name of its journal.
    await workbench.outputLinesUntil((all) => all.some((line) => line.includes('Crashes')));
  });

  it("are reported once if two commands wait for an agent that doesn't start", async () => {
    await (await agentLogs()).start('Leaves');
    await execute('agentLogs.sessions.focus');
    await workbench.row(({ label, description }) => label === 'Leaves' && description.startsWith('running'));
    await eventually(() =>
      pressTwice(workbench.tree, { label: 'AtOnce', selector: '[role="button"][aria-label^="Start"]' }),
    );
    await workbench.notified('AtOnce exited');
    const texts = await toldBefore();
    assert.equal(texts.filter((text) => text.startsWith('AtOnce')).length, 1, texts.join('\n'));
  });

  it('include agents that exit without an error', async () => {
    const run = await (await agentLogs()).start('Leaves');
    await run.prompt(await run.newSession(), 'go').catch(() => undefined);
    await workbench.notified('Leaves exited without an error.');
  });

  it('explain a crash with one click, and show the new run after a restart', async () => {
    const run = await crashedRun();
    await workbench.answerNotification('Crashes exited', 'Why?');
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByRole('heading', { name: 'Agent exited unexpectedly' }).waitFor();
    const card = page.locator('[aria-label="How the run ended"]');
    assert.match(await card.innerText(), /^Ended: exit 7, because/);
    await card.getByRole('button', { name: 'Restart' }).click();
    await eventually(async () => (await runOf('Crashes'))?.id !== run.id);
    await poll(() => vscode.window.tabGroups.activeTabGroup.tabs).until(({ length }) => length === 2);
    await page.ready();
    await card.waitFor({ state: 'hidden' });
  });

  it("link to the extension's log if they concern no run", async () => {
    await toldBefore();
    await workbench.answerNotification('No MCP server is running', 'Show Log');
    await workbench.outputLinesUntil((lines) =>
      lines.some((line) => line.includes('[error] No MCP server is running.')),
    );
    await workbench.screenshot('incident-2-log');
  });
});

describe('In the window: the palette', () => {
  const workbench = inWindow();

  before(async () => {
    await (await agentLogs()).start('Sample Agent');
  });

  /** Commands that act without asking anything, or open a page. Other tests cover them. */
  const askNothing = 'startSampleAgent stop restart newSession clear nextProblem previousProblem share'.split(' ');

  it('has only commands that can be dismissed with Escape', async function () {
    this.timeout(240_000); // some twenty commands
    const { contributes } = vscode.extensions.getExtension('agent-logs.agent-logs')!.packageJSON as {
      contributes: { commands: { command: string }[]; menus: { commandPalette: { command: string; when: string }[] } };
    };
    const hidden = contributes.menus.commandPalette.filter(({ when }) => when === 'false');
    const quiet = [...hidden.map(({ command }) => command), ...askNothing.map((name) => `agentLogs.${name}`)];
    const asking = contributes.commands.map(({ command }) => command).filter((command) => !quiet.includes(command));
    assert.ok(asking.length > 10);
    for (const command of asking) {
      let isDone = false;
      const done = execute(command).finally(() => (isDone = true));
      await eventually(async () => {
        if (await workbench.page.locator('.quick-input-widget').isVisible()) {
          await workbench.page.keyboard.press('Escape');
        }
        return isDone;
      }).catch(() => assert.fail(`${command} does not end`));
      await done; // including errors
    }
  });
});
