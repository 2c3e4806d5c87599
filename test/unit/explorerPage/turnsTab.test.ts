import assert from 'node:assert/strict';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { line, startedAt } from '../../support/wireRows';

/** A turn with a tool call that succeeds, and one that fails. */
function events(): readonly WireEvent[] {
  const sessionId = '5e551017-0000-4000-8000-000000000001';
  const update = (ms: number, update: object): WireEvent =>
    line(ms, 'a2c', { method: 'session/update', params: { sessionId, update } });
  return [
    line(0, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/work' } }),
    line(1, 'a2c', { id: 1, result: { sessionId } }),
    line(2, 'c2a', {
      id: 2,
      method: 'session/prompt',
      params: { sessionId, prompt: [{ type: 'text', text: 'Go.' }] },
    }),
    update(3, { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'read a file', kind: 'read', status: 'pending' }),
    update(4, { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' }),
    update(5, { sessionUpdate: 'tool_call', toolCallId: 'b', title: 'npm test', kind: 'execute', status: 'pending' }),
    update(6, { sessionUpdate: 'tool_call_update', toolCallId: 'b', status: 'failed' }),
  ];
}

/** Three turns of Claude, the last of which comes after the provider's cache has expired. */
function costs(): readonly WireEvent[] {
  const sessionId = '5e551017-0000-4000-8000-000000000001';
  const turn = (id: number, ms: number, cachedReadTokens: number, amount: number): readonly WireEvent[] => {
    const usage = { inputTokens: 100_000 - cachedReadTokens, cachedReadTokens, outputTokens: 500 };
    const cost = { amount, currency: 'USD' };
    const update = { sessionUpdate: 'usage_update', used: 100_500, size: 200_000, cost };
    const prompt = [{ type: 'text', text: `Prompt ${id}` }];
    return [
      line(ms, 'c2a', { id, method: 'session/prompt', params: { sessionId, prompt } }),
      line(ms + 900, 'a2c', { method: 'session/update', params: { sessionId, update } }),
      line(ms + 1000, 'a2c', { id, result: { stopReason: 'end_turn', usage } }),
    ];
  };
  const agentInfo = { name: '@agentclientprotocol/claude-agent-acp', version: '1.0.0' };
  return [
    line(0, 'c2a', { id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
    line(1, 'a2c', { id: 1, result: { protocolVersion: 1, agentInfo } }),
    line(2, 'c2a', { id: 2, method: 'session/new', params: { cwd: '/work' } }),
    line(3, 'a2c', { id: 2, result: { sessionId } }),
    ...turn(3, 1000, 98_000, 0.06),
    ...turn(4, 5000, 98_000, 0.12),
    ...turn(5, 5000 + 47 * 60_000, 0, 0.57),
  ];
}

describeWithEsbuild('explorer: the Turns tab', () => {
  let page: ExplorerWindow;
  afterEach(() => page.close());

  it('has the keys of the log, and a heading for each column', async () => {
    const run = new WrittenRun(events());
    page = await ExplorerWindow.open(run, { tab: 'turns' });
    await page.until(() => page.rows.length === 4);
    const headings = [...page.list.querySelectorAll('[role=columnheader][aria-sort]')];
    assert.deepEqual(
      headings.map(({ textContent }) => textContent),
      ['Name', 'Timeline', 'Duration', 'Tokens'],
    );
    await page.key('F8', { alt: true });
    await page.until(() => page.activeRow.includes('npm test'));
    await page.key('b');
    await page.key('y');
    await page.until(() => page.copied.startsWith('npm test'));
    await page.key('k');
    await page.until(() => page.activeRow.includes('read a file'));
    await page.key('B');
    await page.until(() => page.activeRow.includes('npm test'));
    await page.type('status:error');
    await page.until(() => page.rows.length === 3);
    await page.key('c');
    await page.until(() => page.rows.length === 4 && page.activeRow.includes('npm test'));
    await page.key('c');
    await page.until(() => page.rows.length === 3);
    await page.key('F8', { alt: true });
    await page.until(() => page.text('[role=log]') === 'Failure 1 of 1');
    await page.key(' ');
    await page.until(() => page.button('Follow').getAttribute('aria-pressed') === 'true');
  });

  it('marks a turn whose cost jumps, and says what it used and why', async () => {
    page = await ExplorerWindow.open(new WrittenRun(costs()), { tab: 'turns' });
    await page.until(() => page.rows.length === 4);
    const marks = [...page.list.querySelectorAll('.jump')];
    const why = 'Cost 7.5 × that of earlier turns: cache lost after a pause of 47 min';
    assert.deepEqual(
      marks.map((mark) => [mark.getAttribute('aria-label'), mark.parentElement?.textContent]),
      [[why, '↑ 100.0k in (0 % cached), 500 out, $0.45']],
    );
    await page.key('End');
    const details = (): string => page.text('[role=region][aria-label=Details]');
    await page.until(() => details().includes(why));
    assert.match(details(), /Read from cache: 0 \(0 %\) · .*Context: 100,500 of 200,000 \(50 %\)/);
  });

  it('says why a turn failed, never as JSON, and leads to its explanation and its records', async () => {
    const sessionId = '5e551017-0000-4000-8000-000000000001';
    const body = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    const run = new WrittenRun([
      line(0, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/work' } }),
      line(1, 'a2c', { id: 1, result: { sessionId } }),
      line(2, 'c2a', {
        id: 2,
        method: 'session/prompt',
        params: { sessionId, prompt: [{ type: 'text', text: 'Go.' }] },
      }),
      line(9, 'a2c', { id: 2, error: { code: -32603, message: body } }),
    ]);
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
    page = await ExplorerWindow.open(new WrittenRun(events()), { tab: 'turns' });
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
    const sessionId = '5e551017-0000-4000-8000-000000000001';
    const run = new WrittenRun([
      line(began, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/work' } }),
      line(began + 1, 'a2c', { id: 1, result: { sessionId } }),
      line(began + 2, 'c2a', {
        id: 2,
        method: 'session/prompt',
        params: { sessionId, prompt: [{ type: 'text', text: 'Go.' }] },
      }),
    ]);
    page = await ExplorerWindow.open(run, { tab: 'turns' });
    // The session's title is its first prompt, too.
    const took = (): string | undefined =>
      /\d+(\.\d)? s/.exec(page.rows.findLast((row) => row.includes('Go.')) ?? '')?.[0];
    const seen = new Set<string>();
    await page.until(() => seen.add(took() ?? '').size > 3);
  });
});
