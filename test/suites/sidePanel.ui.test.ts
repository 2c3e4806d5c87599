import * as assert from 'node:assert/strict';
import { levels } from '../../src/text/level';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, execute, inWindow, recordOf } from './support';
import { eventually, poll } from './waiting';

const channel = 'Sample Agent';

describe('In the window: the sample agent', () => {
  const workbench = inWindow();
  let run: Run;

  it('starts from the view, and shows its session in the tree', async () => {
    // If agents are installed on this machine, or other suites left journals, the view has a row for it instead of a button.
    const { page } = workbench;
    const row = page.getByRole('treeitem', { name: /^Start Sample Agent/ });
    await page.getByRole('button', { name: 'Start Sample Agent' }).or(row).first().click();
    run = await eventually(async () => (await agentLogs()).runs.find(({ sessions }) => sessions.length > 0));
    await recordOf(run, ({ logger, message }) => logger === 'turn' && message.startsWith('ended'));
    const rows = await workbench.treeRowsUntil((all) =>
      all.some(({ label, description }) => label === 'Hello' && description.includes('error')),
    );
    // Agents from the settings of another suite may come first.
    const first = rows.findIndex(({ label }) => label === 'Sample Agent');
    const shown = rows.slice(first, first + 3).map(({ label, level }) => `${level} ${label}`);
    assert.deepEqual(shown, ['1 Sample Agent', '2 Hello', '2 Connection']);
  });

  it('shows the records of a session, the newest first, and one of them with its details', async () => {
    await workbench.expandTreeRow('Hello');
    const rows = await workbench.treeRowsUntil((all) => all.some(({ level }) => level === 3));
    const records = rows.filter(({ level }) => level === 3);
    // A failed tool is judged when its turn has ended.
    assert.match(`${records[0]?.label}\n${records[1]?.label}`, /^turn: ended after/m);
    assert.ok(!records.some(({ description }) => description.startsWith('debug')), 'debug records are below the level');
    const emergency = records.find(({ description }) => description.startsWith('emergency'));
    assert.ok(emergency, 'the eight names are visible');

    await workbench.clickTreeRow(emergency.label);
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByText('emergency', { exact: true }).waitFor();
    await page.button('Show raw line').click();
    await page.details.getByText('"method":"log"').waitFor();
  });

  it('changes the level of the agent and the tree from the palette', async () => {
    await workbench.runCommand('Agent Logs: Set Log Level…');
    const choices = await workbench.offered('emergency');
    assert.equal(choices.map(({ label }) => label.trim()).join(' '), [...levels, 'off'].join(' '));
    assert.equal(choices.find(({ description }) => description === 'current')?.label.trim(), 'info');
    await workbench.pick('debug');
    await poll(() => workbench.page.locator('.statusbar-item').allTextContents()).until((texts) =>
      texts.some((text) => text.includes('The agent now logs at debug.')),
    );
    assert.equal(run.level, 'debug');
    const problem = /^Sample Agent: (?:exit 2|context 97 %)/;
    await poll(() => workbench.statusBarText('agentLogs.status')).until((text) => problem.test(text));
    await run.prompt(run.sessions[0]!.id, '/levels');
    await workbench.row(({ level, description }) => level === 3 && description.startsWith('debug'));
  });

  it('shows the eight levels in the output channel when it opens, filtered by session', async () => {
    await workbench.runCommand('Output: Show Output Channels...');
    await workbench.filterQuickInput(channel); // rows outside the visible part aren't rendered
    await workbench.pick(channel);
    await execute('workbench.action.toggleMaximizedPanel'); // only visible lines can be read
    const lines = await workbench.outputLinesUntil((all) => all.some((line) => line.includes('[Hello]')));
    assert.ok(
      lines.every((line) => !/^\d{4}-\S+ \S+ \[\w+\] (?!\[)/.test(line)),
      'every entry has a category',
    );
    for (const name of ['NOTICE', 'CRITICAL', 'ALERT', 'EMERGENCY']) assert.ok(lines.join('\n').includes(name), name);
    // As info if the channel was closed until now, or as debug if another suite left it open.
    assert.ok(lines.some((line) => line.includes('[info] [Hello] DEBUG') || line.includes('[debug] [Hello]')));
    await poll(async () => {
      await run.prompt(run.sessions[0]!.id, '/levels');
      return workbench.outputLines();
    }).until((all) => all.some((line) => line.includes('[debug] [Hello]')));
    await workbench.screenshot('6-output');

    const { page } = workbench;
    const filter = page.getByRole('button', { name: 'More Filters...' });
    await filter.or(page.locator('.viewpane-filter .codicon-filter')).first().click();
    await page.getByRole('menuitemcheckbox', { name: 'connection' }).waitFor();
    await workbench.screenshot('7-output-filter');
    await page.getByRole('menuitemcheckbox', { name: 'Hello' }).click();
    const others = await workbench.outputLinesUntil((all) => !all.some((line) => line.includes('[Hello]')));
    assert.ok(others.some((line) => line.includes('[connection]') || line.includes('[agent]')));
    await workbench.screenshot('8-output-filtered');
  });
});
