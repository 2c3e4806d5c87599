import assert from 'node:assert/strict';
import type { LogRecord } from '../../../../src/log/record';
import type { OtlpRecord } from '../../../../src/runs/otlp/otlpRecord';
import type { OtlpReport, OtlpSource } from '../../../../src/runs/otlp/otlpSender';
import { OtlpSender } from '../../../../src/runs/otlp/otlpSender';
import type { OtlpSendResult } from '../../../../src/runs/otlp/otlpTransport';

const down: OtlpSendResult = { type: 'unreachable', reason: 'ECONNREFUSED' };
const refused: OtlpSendResult = { type: 'refused', reason: 'HTTP 404 Not Found' };

/** A sender whose clock is turned by hand, and whose transport answers as it is told. */
class Bench {
  readonly reports: OtlpReport[] = [];
  readonly batches: (readonly OtlpRecord[])[] = [];
  answer: OtlpSendResult | Promise<OtlpSendResult> = { type: 'sent' };
  now = 0;
  private readonly timers = new Set<{ at: number; callback: () => void }>();
  private readonly source: OtlpSource;
  private seq = 0;
  readonly sender = new OtlpSender({
    transport: {
      send: (batch) => {
        this.batches.push(batch);
        return Promise.resolve(this.answer);
      },
    },
    report: (report) => this.reports.push(report),
    after: (ms, callback) => {
      const timer = { at: this.now + ms, callback };
      this.timers.add(timer);
      return () => this.timers.delete(timer);
    },
  });

  constructor(raw: (seq: number) => string | undefined = () => undefined) {
    this.source = { resource: { attributes: {} }, raw };
  }

  add(count: number, message = 'm'): void {
    const records = Array.from({ length: count }, (): LogRecord => {
      return { seq: ++this.seq, receivedAt: 0, level: 'info', kind: 'log', message };
    });
    this.sender.add(this.source, records);
  }

  /** Turns the clock on, timer by timer. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const next = [...this.timers].sort((a, b) => a.at - b.at).find(({ at }) => at <= end);
      if (!next) break;
      this.timers.delete(next);
      this.now = next.at;
      next.callback();
      await new Promise((settled) => setImmediate(settled));
    }
    this.now = end;
  }

  get timerCount(): number {
    return this.timers.size;
  }
}

const seqs = (batch: readonly OtlpRecord[] | undefined): unknown[] =>
  (batch ?? []).map(({ attributes }) => attributes['agent_logs.seq']);

describe('OTLP sender', () => {
  it('sends what came within a second as one batch, in order, and then rests', async () => {
    const bench = new Bench();
    bench.add(2);
    await bench.pass(999);
    assert.equal(bench.batches.length, 0);
    bench.add(1);
    await bench.pass(1);
    assert.deepEqual(bench.batches.map(seqs), [[1, 2, 3]]);
    assert.deepEqual(bench.reports, [{ type: 'reached' }]);
    assert.deepEqual([bench.sender.sent, bench.sender.waiting, bench.timerCount], [3, 0, 0]);
  });

  it('reads the trace from the line of the wire', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const bench = new Bench((seq) => (seq === 2 ? JSON.stringify({ params: { _meta: { traceparent } } }) : '{}'));
    bench.add(2);
    await bench.pass(1000);
    assert.deepEqual(
      bench.batches[0]?.map(({ spanContext }) => spanContext?.spanId),
      [undefined, 'b7ad6b7169203331'],
    );
  });

  it('takes a small part of the time in a flood, keeps the newest, and counts and tells the rest', async () => {
    const bench = new Bench();
    for (let i = 0; i < 100; i++) bench.add(1000);
    assert.equal(bench.sender.waiting, 16_384);
    await bench.pass(2000);
    assert.equal(bench.batches.length, 11);
    assert.ok(bench.batches.every((batch) => batch.length === 512));
    assert.equal(seqs(bench.batches[0])[0], 100_000 - 16_384 + 1);
    await bench.pass(60_000);
    assert.equal(bench.sender.sent, 16_384);
    assert.equal(bench.sender.notSent, 100_000 - 16_384);
    assert.deepEqual(bench.reports, [{ type: 'reached' }, { type: 'not-sent', notSent: 100_000 - 16_384 }]);
    assert.equal(bench.timerCount, 0);
  });

  it('is bounded in bytes, waiting and sending', async () => {
    const bench = new Bench();
    bench.add(100, 'x'.repeat(1024 * 1024));
    assert.ok(bench.sender.waiting <= 8);
    await bench.pass(1000);
    assert.equal(bench.batches[0]?.length, 1);
  });

  it('tries a batch again, later each time, while nobody answers, and loses nothing that fits', async () => {
    const bench = new Bench();
    bench.answer = down;
    bench.add(3);
    const at: number[] = [];
    for (let i = 0; i < 1000; i++) {
      const before = bench.batches.length;
      await bench.pass(250);
      if (bench.batches.length > before) at.push(bench.now);
    }
    assert.deepEqual(at, [1000, 6000, 16_000, 36_000, 76_000, 136_000, 196_000]);
    bench.add(2);
    bench.answer = { type: 'sent' };
    await bench.pass(60_000);
    assert.deepEqual(seqs(bench.batches.at(-2)), [1, 2, 3]);
    assert.deepEqual(seqs(bench.batches.at(-1)), [4, 5]);
    assert.deepEqual(bench.reports, [
      { type: 'unreachable', reason: 'ECONNREFUSED' },
      { type: 'recovered', notSent: 0 },
    ]);
  });

  it('says how many were lost while nobody answered, once a minute and when somebody does again', async () => {
    const bench = new Bench();
    bench.answer = down;
    bench.add(600);
    await bench.pass(1000);
    bench.add(16_384);
    await bench.pass(120_000);
    bench.add(10);
    bench.answer = { type: 'sent' };
    await bench.pass(60_000);
    assert.equal(bench.sender.notSent, 98);
    assert.deepEqual(bench.reports, [
      { type: 'unreachable', reason: 'ECONNREFUSED' },
      { type: 'not-sent', notSent: 88 },
      { type: 'recovered', notSent: 98 },
    ]);
    assert.equal(bench.sender.sent + bench.sender.notSent, 600 + 16_384 + 10);
  });

  it('tells once of what is refused, does not send it again, and goes on slowly', async () => {
    const bench = new Bench();
    bench.answer = refused;
    bench.add(1000);
    await bench.pass(1000);
    bench.add(1);
    await bench.pass(30_000);
    assert.deepEqual(
      bench.batches.map(({ length }) => length),
      [512, 489],
    );
    assert.equal(bench.sender.notSent, 1001);
    bench.answer = { type: 'sent' };
    bench.add(1);
    await bench.pass(10_000);
    assert.deepEqual(bench.reports, [
      { type: 'refused', reason: 'HTTP 404 Not Found' },
      { type: 'recovered', notSent: 1001 },
    ]);
  });

  it('sends all that waits at the end, and gives up where nobody takes it', async () => {
    const bench = new Bench();
    bench.add(1200);
    await bench.sender.flush();
    assert.equal(bench.sender.sent, 1200);
    bench.answer = down;
    bench.add(1200);
    await bench.sender.flush();
    assert.equal(bench.batches.length, 4);
    bench.sender.dispose();
    assert.equal(bench.timerCount, 0);
    bench.add(1);
    await bench.pass(100_000);
    assert.equal(bench.batches.length, 4);
  });

  it('ends with what it could send in time, and tells what it could not', async () => {
    const bench = new Bench();
    bench.add(3);
    await bench.sender.end(1000);
    assert.deepEqual(bench.reports, [{ type: 'reached' }]);
    assert.deepEqual([bench.sender.sent, bench.timerCount], [3, 0]);

    const late = new Bench();
    let settle: (result: OtlpSendResult) => void = () => undefined;
    late.answer = new Promise((resolve) => (settle = resolve));
    late.add(512 + 7);
    const ended = late.sender.end(1000);
    await new Promise((settled) => setImmediate(settled));
    await late.pass(1000);
    await ended;
    assert.deepEqual(late.reports, [{ type: 'not-sent', notSent: 7 }]);
    settle(down);
    await new Promise((settled) => setImmediate(settled));
    assert.deepEqual(late.reports.slice(1), [{ type: 'not-sent', notSent: 512 }]);
    assert.deepEqual([late.sender.notSent, late.timerCount], [519, 0]);
  });

  it('counts what was rejected of a batch that was taken', async () => {
    const bench = new Bench();
    bench.answer = { type: 'sent', rejected: 2 };
    bench.add(5);
    await bench.pass(1000);
    assert.deepEqual([bench.sender.sent, bench.sender.notSent, bench.sender.waiting], [3, 2, 0]);
    await bench.pass(60_000);
    assert.deepEqual(bench.reports, [{ type: 'reached' }, { type: 'not-sent', notSent: 2 }]);
  });

  it('tells what it has not sent when it is turned off', async () => {
    const bench = new Bench();
    bench.answer = down;
    bench.add(2);
    await bench.pass(1000);
    bench.add(1);
    bench.sender.dispose();
    bench.sender.dispose();
    assert.deepEqual(bench.reports.slice(1), [{ type: 'not-sent', notSent: 3 }]);
    await bench.pass(100_000);
    assert.equal(bench.reports.length, 2);
  });
});
