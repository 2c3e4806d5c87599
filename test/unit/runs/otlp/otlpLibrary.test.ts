import assert from 'node:assert/strict';
import type { LogRecord } from '../../../../src/log/record';
import { otlpTransport } from '../../../../src/runs/otlp/otlpLibrary';
import type { OtlpRecord } from '../../../../src/runs/otlp/otlpRecord';
import { otlpRecord } from '../../../../src/runs/otlp/otlpRecord';
import { OtlpReceiver } from '../../../support/otlpReceiver';

const mine = { attributes: { 'service.name': 'Mine', 'service.instance.id': 'run-1' } };
const other = { attributes: { 'service.name': 'Other', 'service.instance.id': 'run-2' } };
const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };
/** Shorter than the exporter's first pause: it does not try again by itself. */
const once = 500;

function record(resource = mine, fields: Partial<LogRecord> = {}): OtlpRecord {
  const plain: LogRecord = { seq: 1, receivedAt: 1_700_000_000_123, level: 'info', kind: 'log', message: 'hello' };
  return otlpRecord(resource, { ...plain, ...fields }, fields.seq === 1 ? trace : undefined);
}

describe('OTLP transport, against a receiver that decodes with the official definitions', () => {
  let receiver: OtlpReceiver;

  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
  });

  afterEach(() => receiver.close());

  it('brings every field there', async () => {
    const { url } = receiver;
    const transport = otlpTransport({ url, headers: { Authorization: 'Bearer abc' }, timeout: once });
    const full = {
      seq: 1,
      time: 1_600_000_000_001,
      level: 'critical',
      logger: 'db',
      sessionId: 'session-12345678',
      message: 'Ünïcode 😀 \ud800',
      data: { rows: 3, ratio: 0.5, ok: false, name: 'x' },
    } as const;
    assert.deepEqual(await transport.send([record(mine, full), record(other), record(mine, { seq: 2 })]), {
      type: 'sent',
    });
    assert.equal(receiver.requests[0]?.headers.authorization, 'Bearer abc');
    assert.equal(receiver.requests[0].headers['content-type'], 'application/x-protobuf');
    assert.deepEqual(
      receiver.logs.map(({ resource, scope, body }) => [resource['service.name'], scope, body]),
      [
        ['Mine', 'db', 'Ünïcode 😀 \ufffd'],
        ['Mine', '', 'hello'],
        ['Other', '', 'hello'],
      ],
    );
    const [first, second] = receiver.logs;
    assert.deepEqual(
      {
        time: first!.timeUnixNano,
        observed: first!.observedTimeUnixNano,
        severity: [first!.severityNumber, first!.severityText],
        trace: [first!.traceId, first!.spanId, first!.flags],
        attributes: first!.attributes,
        instance: first!.resource['service.instance.id'],
      },
      {
        time: '1600000000001000000',
        observed: '1700000000123000000',
        severity: [18, 'critical'],
        trace: [trace.traceId, trace.spanId, 1],
        attributes: {
          'agent_logs.kind': 'log',
          'agent_logs.seq': 1,
          'session.id': '12345678',
          'data.rows': 3,
          'data.ratio': 0.5,
          'data.ok': false,
          'data.name': 'x',
        },
        instance: 'run-1',
      },
    );
    assert.equal(second!.traceId, undefined);
  });

  it('is told where nobody listens', async () => {
    const { url } = receiver;
    await receiver.close();
    const transport = otlpTransport({ url, headers: {}, timeout: once });
    const result = await transport.send([record()]);
    assert.equal(result.type, 'unreachable');
    assert.match(result.reason, /ECONNREFUSED/);
    receiver = await OtlpReceiver.start(Number(new URL(url).port));
    assert.deepEqual(await transport.send([record()]), { type: 'sent' });
  });

  it('waits as 429 and 503 ask for', async () => {
    receiver.answers = [
      { status: 429, retryAfter: '0' },
      { status: 503, retryAfter: '1' },
    ];
    const transport = otlpTransport({ url: receiver.url, headers: {}, timeout: 5000 });
    assert.deepEqual(await transport.send([record()]), { type: 'sent' });
    const [first, second, third] = receiver.requests.map(({ at }) => at);
    assert.ok(second! - first! < 900);
    assert.ok(third! - second! >= 990);
    assert.equal(receiver.logs.length, 1);
  });

  it('comes back in time where the wait would be too long', async () => {
    receiver.answers = [{ status: 503, retryAfter: '3600' }];
    const transport = otlpTransport({ url: receiver.url, headers: {}, timeout: once });
    const result = await transport.send([record()]);
    assert.equal(result.type, 'unreachable');
    assert.match(result.reason, /too busy/);
    assert.equal(receiver.requests.length, 1);
  });

  it('does not wait for ever for an answer', async () => {
    receiver.answers = ['hang'];
    const transport = otlpTransport({ url: receiver.url, headers: {}, timeout: 50 });
    assert.deepEqual(await transport.send([record()]), { type: 'unreachable', reason: 'Request timed out' });
  });

  it('says which status refused it, and does not insist', async () => {
    for (const [path, status] of [
      ['/wrong', 404],
      ['/v1/logs', 401],
    ] as const) {
      receiver.answers = [{ status }];
      const transport = otlpTransport({ url: new URL(path, receiver.url).href, headers: {}, timeout: once });
      const result = await transport.send([record()]);
      assert.equal(result.type, 'refused');
      assert.match(result.reason, new RegExp(`HTTP ${status}`));
    }
    assert.equal(receiver.requests.length, 2);
  });

  it('says how many of the records were not taken, or that none were', async () => {
    // ExportLogsServiceResponse { partial_success { rejected_log_records = 1, error_message = "bad" } }
    const body = Uint8Array.from([10, 7, 8, 1, 18, 3, ...Buffer.from('bad')]);
    receiver.answers = [
      { status: 200, body },
      { status: 200, body },
    ];
    const transport = otlpTransport({ url: receiver.url, headers: {}, timeout: once });
    assert.deepEqual(await transport.send([record(), record()]), { type: 'sent', rejected: 1 });
    assert.deepEqual(await transport.send([record()]), { type: 'refused', reason: 'bad' });
    assert.deepEqual(await transport.send([record()]), { type: 'sent' });
  });
});
