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
    await page.key('F8');
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
    await page.key('F8');
    await page.until(() => page.text('[role=log]') === 'No more problems');
    await page.key(' ');
    await page.until(() => page.button('Follow').getAttribute('aria-pressed') === 'true');
  });

  it('unfolds what a bookmark is in', async () => {
    page = await ExplorerWindow.open(new WrittenRun(events()), { tab: 'turns' });
    await page.until(() => page.rows.length === 4);
    await page.key('F8');
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
    const took = (): string | undefined => /\d+(\.\d)? s/.exec(page.rows.find((row) => row.includes('Go.')) ?? '')?.[0];
    const seen = new Set<string>();
    await page.until(() => seen.add(took() ?? '').size > 3);
  });
});
