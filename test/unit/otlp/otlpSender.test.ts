import { verbatim } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { LogRecord } from '../../../src/text/record';
import type { OtlpReport } from '../../../src/otlp/otlpDelivery';
import { OtlpDelivery } from '../../../src/otlp/otlpDelivery';
import type { OtlpSendResult } from '../../../src/otlp/otlpHttp';
import type { OtlpSource } from '../../../src/otlp/otlpRecord';
import { OtlpBatches } from '../../../src/otlp/otlpBatches';
import { logSignal } from '../../../src/otlp/otlpSender';
import { column } from '../../support/columns';

const down: OtlpSendResult = { type: 'unreachable', reason: verbatim('ECONNREFUSED') };
const refused: OtlpSendResult = { type: 'refused', reason: verbatim('HTTP 404 Not Found') };

/** A sender with scripted responses and a fake clock. */
class Bench {
  readonly reports: OtlpReport[] = [];
  readonly requests: { readonly at: number; readonly logs: readonly ReadableLogRecord[] }[] = [];
  answer: OtlpSendResult | Promise<OtlpSendResult>;
  now = 0;
  private readonly source: OtlpSource;
  private seq = 0;
  readonly delivery = new OtlpDelivery((report) => this.reports.push(report));
  readonly sender = new OtlpBatches(
    (logs) => {
      this.requests.push({ at: this.now, logs });
      return Promise.resolve(this.answer);
    },
    this.delivery,
    logSignal,
  );

  constructor(answer: Bench['answer'] = { type: 'sent' }, raw: OtlpSource['raw'] = () => undefined) {
    this.answer = answer;
    this.source = { attributes: {}, raw };
  }

  get sizes(): readonly number[] {
    return this.requests.map(({ logs }) => logs.length);
  }

  /** The numbers of the records in each request. */
  get seqs(): readonly unknown[][] {
    return this.requests.map(({ logs }) => logs.map(({ attributes }) => attributes['agent_logs.seq']));
  }

  /** How many records were sent, were lost, and wait. */
  get counts(): readonly number[] {
    return [this.delivery.sent, this.delivery.notSent, this.sender.waiting];
  }

  add(count: number, message = 'm'): void {
    const records = Array.from({ length: count }, (): LogRecord => {
      return { seq: ++this.seq, receivedAt: 0, level: 'info', kind: 'log', message };
    });
    this.sender.add(this.source, records);
  }

  /** Advances the clock in steps, after each of which all promises have settled. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    while (this.now < end) {
      const step = Math.min(50, end - this.now);
      this.now += step;
      mock.timers.tick(step);
      await settled();
    }
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const notSent = (count: number): OtlpReport => ({ type: 'not-sent', notSent: count });

describe('OTLP sender', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('sends the records of one second in one request, in order', async () => {
    const bench = new Bench();
    bench.add(2);
    await bench.pass(950);
    assert.deepEqual(bench.requests, []);
    bench.add(1);
    await bench.pass(50);
    await bench.pass(10_000);
    assert.deepEqual(bench.seqs, [[1, 2, 3]]);
    assert.deepEqual(bench.reports, [{ type: 'connected' }]);
    assert.deepEqual(bench.counts, [3, 0, 0]);
  });

  it('reads the trace context from the wire line', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const line = JSON.stringify({ params: { _meta: { traceparent } } });
    const bench = new Bench(undefined, (seq) => (seq === 2 ? line : '{}'));
    bench.add(2);
    await bench.pass(1000);
    const spans = bench.requests[0]?.logs.map(({ spanContext }) => spanContext?.spanId);
    assert.deepEqual(spans, [undefined, 'b7ad6b7169203331']);
  });

  it('sends at most ten requests per second during a flood, and reports how many records did not fit', async () => {
    const bench = new Bench();
    for (let i = 0; i < 100; i++) bench.add(1000);
    assert.equal(bench.sender.waiting, 16_384);
    await bench.pass(1000);
    assert.ok(bench.requests.length >= 10 && bench.requests.length <= 11);
    assert.ok(bench.sizes.every((size) => size === 512));
    await bench.pass(60_000);
    assert.deepEqual(bench.counts, [16_384, 83_616, 0]);
    assert.deepEqual(bench.reports, [{ type: 'connected' }, notSent(83_616)]);
  });

  it('bounds the queue and each request, in bytes', async () => {
    const bench = new Bench();
    bench.add(1000, 'x'.repeat(1024 * 1024));
    assert.ok(bench.sender.waiting < 260, 'records of 64 KiB in 16 MiB');
    await bench.pass(60_000);
    assert.ok(bench.sizes.every((size) => size <= 16));
    assert.equal(bench.delivery.sent + bench.delivery.notSent, 1000);
    assert.equal(bench.sender.waiting, 0);
    bench.add(200, 'x'.repeat(1024 * 1024));
    assert.equal(bench.sender.waiting, 200);
  });

  it('retries every 30 s while the collector is unreachable, and loses nothing that fits', async () => {
    const bench = new Bench(down);
    bench.add(3);
    await bench.pass(100_000);
    assert.deepEqual(column(bench.requests, 'at'), [1000, 31_000, 61_000, 91_000]);
    bench.add(2);
    bench.answer = { type: 'sent' };
    await bench.pass(60_000);
    assert.equal(JSON.stringify(bench.seqs.slice(-2)), '[[1,2,3],[4,5]]');
    assert.deepEqual(bench.reports, [down, { type: 'reconnected', notSent: 0 }]);
  });

  it('reports lost records once a minute, and in total when the collector is back', async () => {
    const bench = new Bench(down);
    bench.add(600);
    await bench.pass(1000);
    bench.add(16_384);
    await bench.pass(120_000);
    bench.add(10);
    bench.answer = { type: 'sent' };
    await bench.pass(60_000);
    assert.deepEqual(bench.reports, [down, notSent(600), { type: 'reconnected', notSent: 610 }]);
    assert.deepEqual(bench.counts, [16_384, 610, 0]);
  });

  it('drops a rejected request, reports that once, and goes on after a pause', async () => {
    const bench = new Bench(refused);
    bench.add(1000);
    await bench.pass(1000);
    bench.add(1);
    await bench.pass(35_000);
    assert.deepEqual(bench.sizes, [512, 489]);
    assert.equal(bench.delivery.notSent, 1001);
    bench.answer = { type: 'sent' };
    bench.add(1);
    await bench.pass(50_000);
    assert.deepEqual(bench.reports, [refused, notSent(1001), { type: 'reconnected', notSent: 1001 }]);
  });

  it('counts the rejected records of a request', async () => {
    const bench = new Bench({ type: 'sent', rejected: 2 });
    bench.add(5);
    await bench.pass(1000);
    assert.deepEqual(bench.counts, [3, 2, 0]);
    await bench.pass(60_000);
    assert.deepEqual(bench.reports, [{ type: 'connected' }, notSent(2)]);
  });

  it('flushes the queue when it ends, without a pause', async () => {
    const bench = new Bench();
    bench.add(1200);
    await bench.sender.end(1000);
    assert.deepEqual([bench.sizes, bench.delivery.sent], [[512, 512, 176], 1200]);
    assert.deepEqual(bench.reports, [{ type: 'connected' }]);
    bench.add(1);
    await bench.pass(100_000);
    assert.equal(bench.requests.length, 3);
  });

  it('retries once when it ends during a pause, and gives up if that fails', async () => {
    for (const last of [down, refused]) {
      const bench: Bench = new Bench(down);
      bench.add(3);
      await bench.pass(1000);
      bench.add(1200);
      bench.answer = last;
      await bench.sender.end(1000);
      assert.deepEqual(bench.sizes, [3, 3]);
      assert.deepEqual(bench.reports.at(-1), notSent(1203));
      assert.deepEqual(bench.counts, [0, 1203, 0]);
    }
  });

  it('ends in time, and reports what it could not send', async () => {
    let settle: (result: OtlpSendResult) => void = () => undefined;
    const bench = new Bench(new Promise((resolve) => (settle = resolve)));
    bench.add(512 + 7);
    const ended = bench.sender.end(1000);
    await bench.pass(1000);
    await ended;
    assert.deepEqual(bench.reports, [notSent(7)]);
    settle(down);
    await settled();
    assert.deepEqual(bench.reports.slice(1), [notSent(512)]);
    assert.deepEqual([bench.sizes, bench.counts], [[512], [0, 519, 0]]);
  });

  it('reports queued records as lost when it is closed', async () => {
    const bench = new Bench(down);
    bench.add(2);
    await bench.pass(1000);
    bench.add(1);
    bench.sender.close();
    bench.sender.close();
    assert.deepEqual(bench.reports.slice(1), [notSent(3)]);
    await bench.pass(100_000);
    assert.deepEqual([bench.requests.length, bench.reports.length], [1, 2]);
  });
});
