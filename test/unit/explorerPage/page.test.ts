import assert from 'node:assert/strict';
import type { Termination } from '../../../src/wire/termination';
import { verbatim } from '../../../src/text/translator';
import type { RunView } from '../../../src/runLog/runView';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { opened, prompted } from '../../support/acpRows';
import { line } from '../../support/wireRows';

const refused = [
  line(0, 'c2a', { id: 1, method: 'initialize', params: {} }),
  line(10, 'a2c', { id: 1, error: { code: -32603, message: 'Out of memory' } }),
];

describeWithEsbuild('explorer: the page', () => {
  let page: ExplorerWindow;
  afterEach(() => page.close());

  /** Those of the calls that the page has made. */
  const called = (...names: readonly string[]): readonly unknown[] =>
    page.crossed
      .map(({ from, message }) => from === 'page' && message['call'])
      .filter((call) => names.includes(String(call)));

  it('shows how the run ended above its log, until it is closed', async () => {
    const termination: Termination = {
      reason: 'error',
      terminatedBy: 'agent',
      exitCode: 3,
      stderr: { head: 'starting\nError: no disk', truncated: false, totalLines: 2 },
      cause: { what: verbatim('Error: no disk'), by: 'stderr', advice: verbatim('Free some space.') },
    };
    const ended = { type: 'ended', at: 0, termination } as const;
    page = await ExplorerWindow.open(new WrittenRun(refused, { state: ended }));
    const card = (): string => page.text('[aria-label="How the run ended"]');
    await page.until(() => card().startsWith('Ended: exit 3, because “Error: no disk”'));
    assert.match(card(), /Free some space\.starting\nError: no disk$/);
    page.click(page.button('Restart'));
    await page.until(() => page.acts.includes('restart '));
    await page.key('2');
    await page.until(() => card() === '');
    await page.key('1');
    await page.until(() => card() !== '');
    page.click('[aria-label="How the run ended"] [aria-label=Close]');
    await page.until(() => card() === '');
  });

  it('counts the first rows of an empty list at once', async () => {
    const run = new WrittenRun();
    page = await ExplorerWindow.open(run);
    const count = (): string => page.text('.count');
    await page.until(() => count() === '0 of 0');
    await page.settled();
    for (const event of refused) run.write(event);
    await page.until(() => page.rows.length > 0);
    await page.settled();
    assert.match(count(), /^[1-9]/);
  });

  it('goes to the newest records, without what was selected', async () => {
    page = await ExplorerWindow.open(new WrittenRun(refused), { seq: 1 });
    await page.until(() => page.activeRow !== '');
    page.host.open({ end: true });
    await page.until(() => page.activeRow === '');
    assert.equal(page.button('Follow').getAttribute('aria-pressed'), 'true');
    page.host.open({ seq: 2, unlessSelected: true });
    await page.until(() => page.activeRow.includes('failed-request'));
    page.host.open({ seq: 1, unlessSelected: true });
    await page.settled();
    assert.match(page.activeRow, /failed-request/);
  });

  it('marks the time that passed before a record, unless records between them may be hidden', async () => {
    page = await ExplorerWindow.open(new WrittenRun([...opened(0, 1), prompted(14.1 * 60_000, 2)]));
    await page.until(() => page.rows.length > 1);
    assert.deepEqual(page.texts('.gap'), ['14 min later']);
    await page.type('level:info');
    await page.until(() => page.rows.length > 1 && page.texts('.gap').length === 0);
  });

  it('opens a record as text', async () => {
    page = await ExplorerWindow.open(new WrittenRun(refused), { seq: 1 });
    await page.until(() => page.find('[role=region]'));
    page.click(page.button('Open as Text'));
    await page.until(() => page.acts.includes('openAsText 1'));
  });

  it('has its first rows after one round trip', async () => {
    page = await ExplorerWindow.open(new WrittenRun(refused), { query: 'level:error' });
    await page.until(() => page.rows.length > 0);
    assert.deepEqual(called('page.ready', 'log.query', 'log.rows'), ['page.ready']);
    assert.equal(page.filter.value, 'level:error');
  });

  for (const tab of ['wire', 'turns'] as const) {
    it(`has the rows of ${tab} after one round trip, at a record`, async () => {
      const turns = Array.from({ length: 300 }, (_, n) => [
        prompted(10 * n, n + 2),
        line(10 * n + 5, 'a2c', { id: n + 2, result: { stopReason: 'end_turn' } }),
      ]);
      const run = new WrittenRun([...opened(0, 1), ...turns.flat()]);
      page = await ExplorerWindow.open(run, { tab, seq: 300 });
      await page.until(() => page.activeRow !== '');
      await page.settled();
      assert.deepEqual(called('page.ready', `${tab}.find`, `${tab}.rows`), ['page.ready']);
    });
  }

  it('shows everything if an agent’s own stream has no requests', async () => {
    const run = new WrittenRun([line(0, 'a2c', { method: 'note', params: {} })]);
    page = await ExplorerWindow.open(run, { tab: 'wire' });
    await page.until(() => page.rows.length === 1 && page.filter.value === '');
    assert.deepEqual(called('wire.find'), []);
  });

  it('leaves the focus where the user moved it while the keyboard help is open', async () => {
    const run = new WrittenRun(refused);
    page = await ExplorerWindow.open(run);
    await page.key('?');
    await page.until(() => page.focused?.getAttribute('role') === 'dialog');
    page.filter.focus();
    run.write(line(20, 'a2c', { method: 'session/update', params: {} }));
    await page.type('s');
    await page.settled();
    assert.equal(page.focused?.id, 'filter');
  });

  it('says so if the host fails, instead of waiting forever', async () => {
    const run = new WrittenRun(refused);
    let fails = false;
    const view: RunView = {
      ...run.view,
      get log(): RunView['log'] {
        if (fails) throw new Error('The disk is gone.');
        return run.view.log;
      },
    };
    page = await ExplorerWindow.open(run, {}, { view });
    await page.until(() => page.rows.length > 1);
    fails = true;
    await page.type('memory');
    await page.until(() => page.text('[role=alert]').includes('The disk is gone.'));
    fails = false;
    await page.type('');
    await page.until(() => page.rows.length > 1 && page.text('[role=alert]') === '');
    fails = true;
    await page.key('G');
    await page.key('Enter');
    await page.until(() => page.text('[role=alert]').includes('The disk is gone.'));
  });
});
