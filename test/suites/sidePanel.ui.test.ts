import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, recordOf, endAll } from './support';
import { eventually, Workbench } from './workbench';

const view = 'Sessions';
const channel = 'Sample Agent';

describe('In the window: the sample agent', () => {
  let workbench: Workbench;
  let run: Run;

  before(async () => {
    await agentLogs();
    workbench = await Workbench.connect();
  });

  after(async () => {
    await endAll();
  });

  it('offers the sample agent while nothing has been logged', async () => {
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    const button = workbench.page.getByRole('button', { name: 'Start Sample Agent' });
    // If agents are installed on this machine, or other suites left journals, the tree lists these instead.
    await button
      .or(workbench.page.getByRole('treeitem', { name: /^(?:Start Sample Agent|Past Runs)/ }))
      .first()
      .waitFor();
    await workbench.screenshot('1-welcome');
  });

  it('starts from the palette, and shows its session in the tree', async () => {
    await workbench.runCommand('Agent Logs: Start Sample Agent');
    const started = await eventually(
      async () => (await agentLogs()).runs[0],
      (first) => first !== undefined && first.sessions.length > 0,
    );
    assert.ok(started);
    run = started;
    await recordOf(run, ({ logger, message }) => logger === 'turn' && message.startsWith('ended'));
    const rows = await workbench.treeRowsUntil(view, (all) =>
      all.some(({ label, description }) => label === 'Hello' && description.includes('error')),
    );
    // Agents from the settings of another suite may come first.
    const first = rows.findIndex(({ label }) => label === 'Sample Agent');
    assert.deepEqual(
      rows.slice(first, first + 3).map(({ label, level }) => [level, label]),
      [
        [1, 'Sample Agent'],
        [2, 'Hello'],
        [2, 'Connection'],
      ],
    );
    await workbench.screenshot('2-tree');
  });

  it('shows the records of a session, the newest first, and one of them with its details', async () => {
    await workbench.expandTreeRow(view, 'Hello');
    const rows = await workbench.treeRowsUntil(view, (all) => all.some(({ level }) => level === 3));
    const records = rows.filter(({ level }) => level === 3);
    // A failed tool is judged when its turn has ended.
    const newest = records.slice(0, 2).map(({ label }) => label);
    assert.ok(
      newest.some((label) => label.startsWith('turn: ended after')),
      newest.join(),
    );
    assert.ok(!records.some(({ description }) => description.startsWith('debug')), 'debug records are below the level');
    const emergency = records.find(({ description }) => description.startsWith('emergency'));
    assert.ok(emergency, 'the eight names are visible');

    await workbench.clickTreeRow(view, emergency.label);
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByText('emergency', { exact: true }).waitFor();
    await page.button('Show raw line').click();
    await page.details.getByText('"method":"log"').waitFor();
    await workbench.screenshot('3-record');
  });

  it('changes the level of the agent and the tree from the palette', async () => {
    await workbench.runCommand('Agent Logs: Set Log Level…');
    const choices = await workbench.offered('emergency');
    assert.deepEqual(
      choices.map(({ label }) => label.trim()),
      ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency', 'off'],
    );
    assert.equal(choices.find(({ description }) => description === 'current')?.label.trim(), 'info');
    await workbench.screenshot('4-level');
    await workbench.pick('debug');
    await eventually(
      () => workbench.page.locator('.statusbar-item').allTextContents(),
      (texts) => texts.some((text) => text.includes('The agent now logs at debug.')),
    );
    await workbench.screenshot('5-level-changed');
    assert.equal(run.level, 'debug');
    await eventually(
      () => workbench.statusBarText('agentLogs.status'),
      // Of two problems in the same millisecond, the first is shown.
      (text) => /^Sample Agent: (?:exit 2|context 97 %)/.test(text),
    );
    const [session] = run.sessions;
    await run.prompt(session!.id, '/levels');
    await workbench.treeRowsUntil(view, (rows) =>
      rows.some(({ level, description }) => level === 3 && description.startsWith('debug')),
    );
  });

  it('shows the eight levels in the output channel when it opens, filtered by session', async () => {
    await workbench.runCommand('Output: Show Output Channels...');
    await workbench.filterQuickInput(channel); // rows outside the visible part aren't rendered
    await workbench.pick(channel);
    await vscode.commands.executeCommand('workbench.action.toggleMaximizedPanel'); // only visible lines can be read
    const lines = await workbench.outputLinesUntil((all) => all.some((line) => line.includes('[Hello]')));
    assert.ok(
      lines.every((line) => !/^\d{4}-\S+ \S+ \[\w+\] (?!\[)/.test(line)),
      'every entry has a category',
    );
    for (const name of ['NOTICE', 'CRITICAL', 'ALERT', 'EMERGENCY']) {
      assert.ok(
        lines.some((line) => line.includes(name)),
        name,
      );
    }
    // As info if the channel was closed until now, or as debug if another suite left it open.
    assert.ok(lines.some((line) => line.includes('[info] [Hello] DEBUG') || line.includes('[debug] [Hello]')));
    await eventually(
      async () => {
        await run.prompt(run.sessions[0]!.id, '/levels');
        return workbench.outputLines();
      },
      (all) => all.some((line) => line.includes('[debug] [Hello]')),
    );
    await workbench.screenshot('6-output');

    const filter = workbench.page
      .getByRole('button', { name: 'More Filters...' })
      .or(workbench.page.locator('.viewpane-filter .codicon-filter'));
    await filter.first().click();
    await workbench.page.getByRole('menuitemcheckbox', { name: 'connection' }).waitFor();
    await workbench.screenshot('7-output-filter');
    await workbench.page.getByRole('menuitemcheckbox', { name: 'Hello' }).click();
    const others = await workbench.outputLinesUntil((all) => !all.some((line) => line.includes('[Hello]')));
    assert.ok(others.some((line) => line.includes('[connection]') || line.includes('[agent]')));
    await workbench.screenshot('8-output-filtered');
  });
});
