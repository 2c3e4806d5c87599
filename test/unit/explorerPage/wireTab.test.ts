import assert from 'node:assert/strict';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { alpha, prompted } from '../../support/acpRows';
import { line, startedAt } from '../../support/wireRows';

/** An agent that answered two requests, and owes two answers. */
const events = [
  line(0, 'c2a', { id: 1, method: 'initialize', params: {} }),
  line(10, 'a2c', { id: 1, result: { protocolVersion: 1 } }),
  line(20, 'c2a', { id: 2, method: 'session/list', params: {} }),
  line(30, 'c2a', { id: 3, method: 'session/new', params: { cwd: '/work' } }),
  line(530, 'a2c', { id: 3, result: { sessionId: alpha } }),
];

const calls = (length: number) =>
  Array.from({ length }, (_, n) => line(n, 'c2a', { id: n + 1, method: 'call', params: { n } }));

describeWithEsbuild('explorer: the Wire tab', () => {
  let page: ExplorerWindow | undefined;
  afterEach(() => page?.close());

  async function open(run: WrittenRun, count: number): Promise<ExplorerWindow> {
    const opened = (page = await ExplorerWindow.open(run, { tab: 'wire' }));
    await opened.until(() => opened.list.getAttribute('aria-rowcount') === String(count));
    await opened.settled();
    return opened;
  }

  it('keeps a request selected by what it is when another takes its place', async () => {
    const run = new WrittenRun(events);
    const wire = await open(run, 3);
    await wire.key('s'); // slowest first
    await wire.until(() => wire.rows[0]?.includes('session/list'));
    await wire.type('method:session/new,initialize');
    await wire.until(() => wire.rows.length === 2);
    await wire.key('g');
    await wire.key('Enter');
    await wire.until(() => wire.text('[role=region]').includes('session/new'));
    run.write(line(9000, 'c2a', { id: 4, method: 'initialize', params: {} }));
    run.write(line(19_000, 'a2c', { id: 4, result: {} }));
    await wire.until(() => wire.rows.length === 3);
    await wire.until(() => wire.activeRow.includes('session/new'));
    await wire.key('y');
    await wire.until(() => wire.copied.includes('session/new'));
    assert.doesNotMatch(wire.copied, /initialize/);
  });

  it('shows the request that End selects, however far away it is', async () => {
    const wire = await open(new WrittenRun(calls(5000)), 5000);
    await wire.key('g');
    await wire.key('Enter');
    await wire.until(() => wire.text('[role=region]').includes('"n": 0'));
    await wire.key('End');
    await wire.until(() => wire.text('[role=region]').includes('"n": 4999'));
    await wire.key('y');
    await wire.until(() => wire.copied.includes('"n": 4999'));
  });

  it('keeps the elements of rows that stay in view, in the order of the rows', async () => {
    const wire = await open(new WrittenRun(calls(300)), 300);
    const { list } = wire;
    const elements = () => wire.all('#wire-grid .row');
    const indexes = (): number[] => elements().map((row) => Number(row.getAttribute('aria-rowindex')));
    const rowHeight = 22;
    // By whole rows and parts of one, so that there is one more or less in view; back, further than the view, to both ends.
    for (const top of [0, 22, 33, 44, 100, 97, 22, 2000, 1995, 2040, 6100, 0]) {
      const before = new Map(elements().map((row) => [row.id, row]));
      list.scrollTop = top;
      await wire.settled();
      const first = Math.floor(list.scrollTop / rowHeight) + 1;
      const inOrder = indexes().map((_, n) => first + n);
      assert.deepEqual(indexes(), inOrder);
      for (const row of elements()) if (before.has(row.id)) assert.equal(row, before.get(row.id), `at ${top}`);
    }
  });

  it('goes on counting the time of what is pending while the agent is silent', async () => {
    const began = Date.now() - 5000 - startedAt;
    const wire = await open(new WrittenRun([line(began, 'c2a', { id: 1, method: 'slow', params: {} })]), 1);
    const took = (): string | undefined => /\d+(\.\d)? s/.exec(wire.rows[0] ?? '')?.[0];
    const seen = new Set<string>();
    await wire.until(() => seen.add(took() ?? '').size > 3);
  });

  it('opens at a record, and selects its request', async () => {
    const run = new WrittenRun(events);
    page = await ExplorerWindow.open(run, { tab: 'wire', seq: 1 });
    await page.until(() => page?.find('#tab-wire[aria-selected=true]') && page.activeRow !== '');
    await page.settled();
    assert.ok(page.find('#tab-wire[aria-selected=true]'));
  });

  it('opens at the message of an open request, or of the question that it waits for', async () => {
    const params = { sessionId: alpha, toolCall: { toolCallId: 't-1', title: 'Delete' }, options: [] };
    const asks = line(700, 'a2c', { id: 0, method: 'session/request_permission', params });
    const run = new WrittenRun([...events, prompted(600, 4), asks]);
    const { log } = run.view;
    const messageOf = (method: string): number | undefined => {
      const request = log.requests.find((one) => one.method === method);
      return request && log.messageOf(request);
    };
    const messages = ['session/list', 'session/prompt'].map((method) => log.wire.get(messageOf(method) ?? -1)?.method);
    assert.deepEqual(messages, ['session/list', 'session/request_permission']);
    const wire = (page = await ExplorerWindow.open(run, { tab: 'wire', message: messageOf('session/list') }));
    await wire.until(() => wire.activeRow.includes('session/list'));
    await wire.until(() => wire.text('[role=region]').includes('session/list'));
    wire.host.open({ tab: 'wire', message: messageOf('session/prompt') });
    await wire.until(() => wire.activeRow.includes('session/request_permission'));
  });

  it('goes to another session by [, and takes the times out of the filter by Escape', async () => {
    const error = { code: -32603, message: 'Out of memory' };
    const wire = await open(new WrittenRun([...events, prompted(600, 4), line(700, 'a2c', { id: 4, error })]), 4);
    await wire.key('g');
    await wire.key('F8', { alt: true });
    await wire.until(() => wire.text('[role=region]').includes('Out of memory'));
    await wire.key('[');
    await wire.until(() => !wire.activeRow.includes('session/prompt'));
    await wire.type('status:error since:2026-11-20');
    await wire.until(() => wire.rows.length === 1);
    await wire.key('Escape');
    await wire.until(() => wire.find('[role=region]') === undefined);
    await wire.key('Escape');
    await wire.until(() => wire.filter.value === 'status:error');
  });

  it('has as many columns as it says', async () => {
    const wire = await open(new WrittenRun(events), 3);
    const { length } = wire.list.querySelector('[role=row][aria-rowindex]')?.querySelectorAll('[role=gridcell]') ?? [];
    assert.equal(wire.list.getAttribute('aria-colcount'), String(length));
  });
});
