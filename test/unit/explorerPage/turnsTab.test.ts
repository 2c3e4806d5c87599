import assert from 'node:assert/strict';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { called, opened, prompted, updated } from '../../support/acpRows';
import { line, startedAt } from '../../support/wireRows';

/** A turn with a tool call that succeeds, and one that fails. */
const events = [
  ...opened(0, 1),
  prompted(2, 2),
  ...called(3, 'a', 'read a file', 'completed'),
  ...called(5, 'b', 'npm test', 'failed'),
];

/** Three turns of Claude, the last of which comes after the provider's cache has expired. */
function costs(): readonly WireEvent[] {
  const turn = (id: number, ms: number, cachedReadTokens: number, amount: number): readonly WireEvent[] => {
    const usage = { inputTokens: 100_000 - cachedReadTokens, cachedReadTokens, outputTokens: 500 };
    const cost = { amount, currency: 'USD' };
    const update = { sessionUpdate: 'usage_update', used: 100_500, size: 200_000, cost };
    return [
      prompted(ms, id, `Prompt ${id}`),
      updated(ms + 900, update),
      line(ms + 1000, 'a2c', { id, result: { stopReason: 'end_turn', usage } }),
    ];
  };
  const agentInfo = { name: '@agentclientprotocol/claude-agent-acp', version: '1.0.0' };
  return [
    line(0, 'c2a', { id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
    line(1, 'a2c', { id: 1, result: { protocolVersion: 1, agentInfo } }),
    ...opened(2, 2),
    ...turn(3, 1000, 98_000, 0.06),
    ...turn(4, 5000, 98_000, 0.12),
    ...turn(5, 5000 + 47 * 60_000, 0, 0.57),
  ];
}

describeWithEsbuild('explorer: the Turns tab', () => {
  let page: ExplorerWindow;
  afterEach(() => page.close());

  it('marks a turn whose cost jumps, and says what it used and why', async () => {
    page = await ExplorerWindow.open(new WrittenRun(costs()), { tab: 'turns' });
    await page.until(() => page.rows.length === 4);
    const marks = [...page.list.querySelectorAll('.jump')];
    const why = 'Cost 7.5 × that of earlier turns: cache lost after a pause of 47 min';
    const shown = marks.map((mark) => [mark.getAttribute('aria-label'), mark.parentElement?.textContent]);
    assert.deepEqual(shown, [[why, '↑ 100.0k in (0 % cached), 500 out, $0.45']]);
    await page.key('End');
    const details = (): string => page.text('[role=region][aria-label=Details]');
    await page.until(() => details().includes(why));
    assert.match(details(), /Read from cache: 0 \(0 %\) · .*Context: 100,500 of 200,000 \(50 %\)/);
  });

  it('says why a turn failed, never as JSON, and leads to its explanation and its records', async () => {
    const body = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    const failed = line(9, 'a2c', { id: 2, error: { code: -32603, message: body } });
    const run = new WrittenRun([...opened(0, 1), prompted(2, 2), failed]);
    page = await ExplorerWindow.open(run, { tab: 'turns' });
    await page.until(() => page.rows.length === 2);
    await page.key('End');
    const details = (): string => page.text('[role=tabpanel]:not([hidden]) [role=region]');
    await page.until(() => details().includes('Turn failed'));
    assert.match(details(), /Overloaded/);
    assert.doesNotMatch(details(), /[{}]/);
    page.click(page.button('Why it failed'));
    await page.until(() => page.activeRow.includes('failed-turn') && details().includes('What happened'));
    await page.key('3');
    await page.key('l');
    await page.until(() => page.rows.some((row) => row.includes('failed-turn')));
    assert.match(page.filter.value, /^seq:\d+\.\.\d+$/);
  });

  it('unfolds what a bookmark is in', async () => {
    page = await ExplorerWindow.open(new WrittenRun(events), { tab: 'turns' });
    await page.until(() => page.rows.length === 4);
    await page.key('F8', { alt: true });
    await page.until(() => page.activeRow.includes('npm test'));
    await page.key('b');
    await page.key('g');
    await page.key('ArrowLeft');
    await page.until(() => page.rows.length === 1);
    await page.key('B');
    await page.until(() => page.rows.length === 4 && page.activeRow.includes('npm test'));
  });

  it('goes on counting the time of an open turn while the agent is silent', async () => {
    const began = Date.now() - 5000 - startedAt;
    const run = new WrittenRun([...opened(began, 1), prompted(began + 2, 2)]);
    page = await ExplorerWindow.open(run, { tab: 'turns' });
    // The session's title is its first prompt, too.
    const took = (): string | undefined =>
      /\d+(\.\d)? s/.exec(page.rows.findLast((row) => row.includes('Go.')) ?? '')?.[0];
    const seen = new Set<string>();
    await page.until(() => seen.add(took() ?? '').size > 3);
  });
});
