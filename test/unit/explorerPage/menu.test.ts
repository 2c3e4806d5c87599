import assert from 'node:assert/strict';
import type { HTMLElement } from 'happy-dom';
import type { Tab } from '../../../src/explorer/page/messages';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { alpha, beta, called, opened, prompted, updated } from '../../support/acpRows';
import { line } from '../../support/wireRows';

/** A turn with one call of a tool. */
function turn(ms: number, id: number, sessionId: string, tool: string): readonly WireEvent[] {
  return [
    prompted(ms, id, 'Go.', sessionId),
    ...called(ms + 1, 'a', tool, 'completed', sessionId),
    line(ms + 3, 'a2c', { id, result: { stopReason: 'end_turn' } }),
  ];
}

const events = [
  ...opened(0, 1),
  ...opened(2, 2, beta),
  updated(4, { sessionUpdate: 'session_info_update', title: 'Fix the build' }),
  ...turn(10, 3, alpha, 'npm test'),
  ...turn(20, 4, beta, 'read a file'),
];

describeWithEsbuild('explorer: the menu of a row', () => {
  let page: ExplorerWindow;
  afterEach(() => page.close());

  async function open(tab: Tab): Promise<void> {
    page = await ExplorerWindow.open(new WrittenRun(events), { tab });
    await page.until(() => page.rows.length > 3);
    await page.settled();
  }
  const items = (): HTMLElement[] => page.all('[role=menu] [role=menuitem]');
  const labels = (): readonly string[] => items().map((item) => item.querySelector('.label')?.textContent ?? '');
  const focused = (): string => page.focused?.querySelector('.label')?.textContent ?? '';
  const item = (label: string): HTMLElement => {
    const found = items().find((one) => one.querySelector('.label')?.textContent === label);
    assert.ok(found, `${label}: ${labels().join(', ')}`);
    return found;
  };
  const cell = (row: RegExp, name: string): HTMLElement => {
    const found = [...page.list.querySelectorAll('[role=row][aria-rowindex]')].find((one) => row.test(one.textContent));
    return found?.querySelector(`.${name}`) as HTMLElement;
  };
  async function choose(row: RegExp, name: string, label: string): Promise<void> {
    await page.openMenu(cell(row, name));
    page.click(item(label));
    await page.until(() => items().length === 0);
    await page.settled();
  }

  it('begins with the value of the pressed cell, and filters by it', async () => {
    await open('log');
    await page.openMenu(cell(/npm test/, 'session'));
    const first = ['Only This Session', 'Exclude This Session', 'Only This Level', 'Exclude This Level'];
    assert.deepEqual(labels().slice(0, 4), first);
    assert.match(item('Only This Session').textContent, /Fix the build/);
    page.click(item('Only This Session'));
    await page.until(() => page.filter.value === 'session:"Fix the build"');
    await page.until(() => page.rows.length > 0 && page.rows.every((row) => row.includes('Fix the build')));
    assert.equal(page.focused, page.list);
    await choose(/npm test/, 'session', 'Exclude This Session');
    assert.equal(page.filter.value, '-session:"Fix the build"');
    await page.until(() => page.rows.length > 0 && !page.rows.some((row) => row.includes('npm test')));
    await choose(/read a file/, 'level', 'Only This Level');
    assert.equal(page.filter.value, '-session:"Fix the build" level:=info');
    await choose(/read a file/, 'message', 'Exclude This Kind');
    assert.equal(page.filter.value, '-session:"Fix the build" level:=info -kind:activity');
  });

  it('filters requests by method, status and session', async () => {
    await open('wire');
    await choose(/session\/prompt/, 'method', 'Only This Method');
    await page.until(() => page.filter.value === 'method:session/prompt' && page.rows.length === 2);
    await choose(/Fix the build/, 'session', 'Exclude This Session');
    await page.until(() => page.rows.length === 1);
    await choose(/prompt/, 'status', 'Exclude This Status');
    await page.until(() => page.list.getAttribute('aria-rowcount') === '0');
  });

  it('filters turns by tool, from the row and from the table of tools', async () => {
    await open('turns');
    await choose(/npm test/, 'name', 'Only This Tool');
    await page.until(() => page.filter.value === 'tool:"npm test"');
    await page.until(() => !page.rows.some((row) => row.includes('read a file')));
    await page.type('');
    page.click(page.button('Tools'));
    await page.until(() => page.all('.tool-table tbody tr').length === 2);
    page.click(page.button('read a file'));
    await page.until(() => page.filter.value === 'tool:"read a file"');
    await page.until(() => !page.rows.some((row) => row.includes('npm test')));
    assert.equal(page.button('read a file').getAttribute('aria-pressed'), 'true');
    page.click(page.button('read a file'));
    await page.until(() => page.filter.value === '');
  });

  it('filters turns by session', async () => {
    await open('turns');
    await choose(/^Fix the build/, 'name', 'Only This Session');
    await page.until(() => page.filter.value === 'session:"Fix the build"' && page.rows.length === 3);
  });

  for (const tab of ['log', 'wire', 'turns'] as const) {
    it(`opens by Shift+F10 and the menu key in ${tab}, moves by keys, and gives the focus back`, async () => {
      await open(tab);
      await page.key('End');
      await page.key('F10', { shift: true });
      await page.until(() => focused() !== '');
      const [first = '', second = ''] = labels();
      assert.equal(focused(), first);
      page.press('ArrowDown');
      assert.equal(focused(), second);
      page.press('End');
      assert.equal(focused(), 'Bookmark');
      page.press('ArrowDown');
      assert.equal(focused(), first);
      page.press('b');
      assert.equal(focused(), 'Bookmark');
      page.press('Escape');
      await page.until(() => items().length === 0);
      assert.equal(page.focused, page.list);
      await page.key('ContextMenu');
      await page.until(() => items().length > 0);
      page.press('Tab');
      await page.until(() => items().length === 0 && page.focused === page.list);
    });
  }

  it('has two buttons on a cell under the pointer that do the same', async () => {
    await open('log');
    const session = cell(/npm test/, 'session');
    page.point(session, 'pointermove');
    page.click(page.button('Exclude This Session'));
    await page.until(() => page.filter.value === '-session:"Fix the build"');
    assert.equal(page.find('[role=region]'), undefined);
    await page.until(() => !page.rows.some((row) => row.includes('npm test')));
    page.point(cell(/read a file/, 'message'), 'pointermove');
    assert.equal(page.find('.cell-buttons'), undefined);
  });

  it('leads from a record to its message and its span, and back, whatever the filters', async () => {
    await open('log');
    await page.type('npm');
    await page.until(() => page.rows.length === 2);
    await page.key('g');
    const record = page.activeRow;
    await page.key('w');
    // Notifications are hidden by the first filter of this tab.
    await page.until(() => page.find('#tab-wire[aria-selected=true]') && page.activeRow.includes('session/update'));
    await page.until(() => page.text('#panel-wire [role=region]').includes('npm test'));
    assert.ok(page.button('Back to Filter'));
    await page.key('t');
    await page.until(() => page.find('#tab-turns[aria-selected=true]') && page.activeRow.includes('npm test'));
    await page.type('tool:read*');
    await page.until(() => !page.rows.some((row) => row.includes('npm test')));
    page.click('#tab-wire');
    await page.until(() => page.activeRow.includes('session/update'));
    await page.key('l');
    await page.until(() => page.find('#tab-log[aria-selected=true]') && page.activeRow === record);
    assert.equal(page.filter.value, 'npm');
    await page.openMenu(cell(/npm/, 'message'));
    page.click(item('Show in Turns'));
    await page.until(() => page.find('#tab-turns[aria-selected=true]') && page.activeRow.includes('npm test'));
    assert.ok(page.button('Back to Filter'));
    await page.key('w');
    await page.until(() => page.find('#tab-wire[aria-selected=true]') && page.activeRow.includes('session/update'));
  });
});
