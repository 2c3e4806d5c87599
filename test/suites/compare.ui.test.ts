import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, diffTexts, execute, fake, inWindow } from './support';
import { poll } from './waiting';

const rounds = 'Round the school discount once.';
const tests = 'Run the tests.';

describe('In the window: comparing turns and runs', () => {
  const workbench = inWindow({ 'Bookshop Agent': fake('bookshop') });
  const page = new ExplorerPage(workbench);
  let run: Run;
  let past: Run;

  before(async () => {
    const api = await agentLogs();
    const first = await api.start('Bookshop Agent');
    await first.prompt(await first.newSession(), rounds);
    await first.stop();
    await execute('agentLogs.removeRun', first.id);
    past = await api.open(first.journal!);
    run = await api.start('Bookshop Agent');
    const session = await run.newSession();
    for (const text of [rounds, tests]) await run.prompt(session, text);
  });

  beforeEach(() => execute('workbench.action.closeAllEditors'));

  it('shows two turns side by side, from the Turns tab and by keyboard', async () => {
    await page.open(run.id, { tab: 'turns' });
    const grid = page.locator('[role=treegrid]');
    await page.locator('#turn-1').getByText(rounds).waitFor();
    await grid.press('ArrowDown');
    await grid.press('ArrowDown');
    await page.button('Compare With…').waitFor();
    assert.deepEqual(await page.violations(), []);
    await grid.press('d');
    const rows = await workbench.quickPickRows();
    assert.equal(rows[0]?.label, tests);
    assert.match(rows[0].description, /^failed \(.*\) · [\d.]+ s · /);
    assert.ok(!rows.some(({ label }) => label === rounds));
    await workbench.screenshot('compare-picker');
    await workbench.page.keyboard.press('Enter');
    const [left, right] = await diffTexts();
    assert.match(left, new RegExp(`^${rounds}\\nSession .*\\nBookshop Agent · `));
    assert.match(right, new RegExp(`^${tests}\\n`));
    for (const text of [left, right]) assert.match(text, /\nSTEPS · First difference: step 1\n/);
    assert.match(left, /\n {2}✓ Edit src\/basket\.js\nEnd of turn: ok\n/);
    assert.match(right, /\n {2}✗ npm test · failed \(exit 3\)\nEnd of turn: failed \(.*\)\n/);
    assert.match(right, /\nRetries +2\n/);
    await poll(() => vscode.window.activeTextEditor?.selection.active.line ?? 0).until(
      (line) => right.split('\n')[line]?.includes('npm test') === true,
    );
    await workbench.screenshot('compare-turns');
  });

  it('compares a session of the tree with a past run', async () => {
    await execute('agentLogs.sessions.focus');
    const row = await workbench.row(({ label }) => label.startsWith('Run the tests'));
    await workbench.chooseFromTreeMenu(row.label, 'Compare Turns…');
    await workbench.quickPickRows();
    await workbench.page.keyboard.press('Enter');
    const [left, right] = await diffTexts();
    assert.match(left, /\nTurns +2\n/);
    assert.match(right, /\nTurns +1\n/);
    const steps = `Turn: ${rounds}\n  ✓ Edit src/basket.js\nEnd of turn: ok\n`;
    for (const text of [left, right]) assert.ok(text.includes(steps), text);
    assert.match(left, /First difference: step 4\n/);
    await workbench.screenshot('compare-session');
  });

  it('compares what a caller names, and says what it does not know', async () => {
    const compare = (arg: object): Promise<unknown> => execute('agentLogs.compare', arg);
    const [turn] = run.spans({ kinds: ['turn'] });
    const [pastTurn] = past.spans({ kinds: ['turn'] });
    await compare({ runId: run.id, turn: turn!.id, with: { runId: past.id, turn: pastTurn!.id } });
    const [left, right] = await diffTexts();
    for (const text of [left, right]) assert.match(text, /\nSTEPS · The steps are the same\.\n/);
    assert.ok(!left.includes(run.sessions[0]!.id));
    await assert.rejects(compare({ runId: run.id, turn: 'turn-99', with: {} }), /Unknown turn: turn-99/);
    await assert.rejects(compare({ runId: run.id, sessionId: 'x', with: {} }), /Unknown session: x/);
    await assert.rejects(compare({ runId: run.id, with: { runId: 'x' } }), /Unknown run: x/);
  });
});
