import assert from 'node:assert/strict';
import { RequestSender } from '../../../../src/otlp/engine/requestSender';
import { SendingStopped } from '../../../../src/otlp/engine/sendingStopped';
import { RunProgress } from '../../../../src/otlp/engine/runProgress';
import type { OtlpSendResult } from '../../../../src/otlp/otlpHttp';
import { inEnglish, verbatim } from '../../../../src/text/translator';

const reason = verbatim('why');
const busy = { type: 'unreachable', reason, isBusy: true } as const;
const gone = { type: 'unreachable', reason } as const;
const refused = { type: 'refused', reason } as const;

/** Sends the numbers from 1 in one request. */
class Sending {
  readonly taken: number[] = [];
  readonly pauses: number[] = [];
  readonly sizes: number[] = [];
  readonly run = new RunProgress('run', '1 1', undefined);
  readonly stopping = new AbortController();
  readonly sender = new RequestSender<number>(
    (items) => {
      this.sizes.push(items.length);
      return Promise.resolve(this.resultOf(items));
    },
    (parcels) => Promise.resolve(void this.taken.push(...parcels.map(({ item }) => item))),
    { sleep: (ms) => Promise.resolve(void this.pauses.push(ms)), onWait: () => undefined },
    this.stopping.signal,
  );

  constructor(private readonly resultOf: (items: readonly number[]) => OtlpSendResult | Promise<OtlpSendResult>) {}

  /** Results in their order, then success. */
  static with(...results: OtlpSendResult[]): Sending {
    return new Sending(() => results.shift() ?? { type: 'sent' });
  }

  async send(count: number): Promise<string> {
    const items = Array.from({ length: count }, (_, index) => index + 1);
    try {
      await this.sender.send(items.map((item) => ({ item, size: 1, run: this.run, number: item })));
      return 'done';
    } catch (error) {
      assert.ok(error instanceof SendingStopped);
      return error.words ? inEnglish(error.words) : 'cancelled';
    }
  }
}

describe('requests of an export', () => {
  it('wait for a collector that is busy, and give up in the end', async () => {
    const sending = Sending.with(busy, busy);
    assert.equal(await sending.send(3), 'done');
    assert.deepEqual(sending.taken, [1, 2, 3]);
    assert.deepEqual(sending.pauses, [30_000, 30_000]);
    const always = new Sending(() => busy);
    assert.equal(await always.send(3), 'why');
    assert.deepEqual([always.taken.length, always.sizes.length, always.pauses.length], [0, 10, 9]);
    assert.equal(always.run.isIncomplete, false);
  });

  it('stop at once if nothing has ever answered, else wait', async () => {
    const sending = Sending.with(gone);
    assert.equal(await sending.send(1), 'why');
    assert.deepEqual(sending.pauses, []);
    const later = Sending.with({ type: 'sent' }, gone);
    await later.send(1);
    assert.equal(await later.send(1), 'done');
    assert.deepEqual(later.pauses, [30_000]);
  });

  it('are halved if they are too large', async () => {
    const sending = new Sending((items) => (items.length > 3 ? { ...refused, status: 413 } : { type: 'sent' }));
    assert.equal(await sending.send(10), 'done');
    assert.deepEqual(sending.sizes, [10, 5, 3, 2, 5, 3, 2]);
    assert.deepEqual(sending.taken, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('remember a half that was taken before the other stops', async () => {
    const sending = new Sending((items) => {
      if (items.length > 2) return { ...refused, status: 413 };
      return items.includes(3) ? { ...refused, status: 507 } : { type: 'sent' };
    });
    assert.equal(await sending.send(4), 'why');
    assert.deepEqual(sending.taken, [1, 2]);
  });

  it('are taken as a whole if the collector rejects a part, as OTLP wants', async () => {
    const sending = Sending.with({ type: 'sent', rejected: 2, reason });
    assert.equal(await sending.send(5), 'done');
    assert.deepEqual([sending.taken.length, sending.sender.counts], [5, { accepted: 3, rejected: 2, reason }]);
  });

  for (const status of [401, 403, 404, 500, 507]) {
    it(`stop at HTTP ${status}`, async () => {
      const sending = Sending.with({ ...refused, status });
      assert.equal(await sending.send(1), 'why');
      assert.deepEqual([sending.taken, sending.run.isIncomplete], [[], true]);
    });
  }

  it('go on after one that the collector takes nothing of, but stop at the third in a row', async () => {
    const bad = { ...refused, status: 400 };
    const sending = Sending.with(refused, bad, { type: 'sent' }, bad, refused, bad);
    const results = [];
    for (let request = 0; request < 6; request++) results.push(await sending.send(1));
    assert.deepEqual(results, ['done', 'done', 'done', 'done', 'done', 'why']);
    assert.deepEqual([sending.taken, sending.run.isIncomplete], [[1], true]);
  });

  it('stop before one if the user cancels', async () => {
    const sending = Sending.with();
    sending.stopping.abort();
    assert.equal(await sending.send(1), 'cancelled');
    assert.deepEqual(sending.sizes, []);
  });

  it('are waited for a moment if the user cancels meanwhile', async () => {
    const hanging = new Sending(() => new Promise(() => undefined));
    const sent = hanging.send(1);
    hanging.stopping.abort();
    assert.equal(await sent, 'cancelled');
    assert.deepEqual([hanging.pauses, hanging.taken], [[3000], []]);
    const answered = new Sending(() => Promise.resolve({ type: 'sent' }));
    const taken = answered.send(1);
    answered.stopping.abort();
    assert.equal(await taken, 'done');
    assert.deepEqual(answered.taken, [1]);
  });
});
