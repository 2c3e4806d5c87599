import assert from 'node:assert/strict';
import { Host } from '../../../src/explorerPage/host';
import type { CallMessage, LogResult } from '../../../src/explorer/page/messages';

describe('the page’s calls to its host', () => {
  let sent: CallMessage[];
  let host: Host;
  const idOf = (place: number): number => sent[place]?.id ?? assert.fail();

  beforeEach(() => {
    sent = [];
    host = new Host((message) => sent.push(message));
  });

  it('resolve with their own answers', async () => {
    const first = host.call('log.locate', { seq: 1 });
    const second = host.call('log.locate', { seq: 2 });
    host.receive({ id: idOf(1), answer: 'second' });
    host.receive({ id: idOf(0), answer: 'first' });
    assert.deepEqual(await Promise.all([first, second]), ['first', 'second']);
    assert.deepEqual(sent[1], { id: idOf(1), call: 'log.locate', args: { seq: 2 } });
  });

  it('reject with the error of the host', async () => {
    const call = host.call('log.export', {});
    host.receive({ id: idOf(0), error: 'The disk is gone.' });
    await assert.rejects(call, /^Error: The disk is gone\.$/);
  });

  it('drop answers and errors that a newer call has overtaken', async () => {
    const settled: string[] = [];
    const note = (name: string, call: Promise<unknown>): void =>
      void call.catch(() => undefined).then(() => settled.push(name));
    note('levels of an earlier filter', host.call('log.levels', {}));
    note('place in an earlier filter', host.call('log.locate', { seq: 1 }));
    note('details', host.call('record.details', { seq: 1 }));
    host.call('log.query', { gen: 2, q: '' }).catch(() => undefined);
    note('levels', host.call('log.levels', {}));
    for (const [place, { id }] of sent.entries()) {
      host.receive(place === 1 ? { id, error: 'gone' } : { id, answer: [] });
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(settled, ['details', 'levels']);
  });

  it('ignore answers to a page that was here before', () => {
    void host.call('log.export', {});
    host.receive({ id: 1, answer: [] });
    assert.notEqual(idOf(0), 1);
  });

  it('leave what the host pushes until the page is drawn', () => {
    const result = { gen: 1 } as Partial<LogResult> as LogResult;
    host.receive({ push: 'result', data: result });
    const got: unknown[] = [];
    const note = (data: unknown): void => void got.push(data);
    host.listen({ result: note, run: note, open: note, turns: note, focus: note });
    host.receive({ push: 'focus', data: null });
    assert.deepEqual(got, [result, null]);
  });
});
