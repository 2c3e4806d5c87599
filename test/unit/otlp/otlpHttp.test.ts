import { inEnglish, verbatim } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { LogRecord } from '../../../src/text/record';
import type { OtlpSendResult } from '../../../src/otlp/otlpHttp';
import { otlpLogs } from '../../../src/otlp/otlpHttp';
import { OtlpConverter } from '../../../src/otlp/otlpRecord';
import { rowsOf } from '../../support/columns';
import { OtlpReceiver } from '../../support/otlpReceiver';
import { withoutPauses } from '../../support/withoutPauses';

const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };
const traceparent = `00-${trace.traceId}-${trace.spanId}-01`;
const raw = (seq: number): string => JSON.stringify({ params: { _meta: seq === 1 ? { traceparent } : {} } });
const mine = new OtlpConverter({ attributes: { 'service.name': 'Mine', 'service.instance.id': 'run-1' }, raw });
const other = new OtlpConverter({ attributes: { 'service.name': 'Other', 'service.instance.id': 'run-2' }, raw });
/** Shorter than the exporter's first backoff, so that it doesn't retry. */
const once = 500;

function record(converter = mine, fields: Partial<LogRecord> = {}): ReadableLogRecord {
  const plain: LogRecord = { seq: 2, receivedAt: 1_700_000_000_123, level: 'info', kind: 'log', message: 'hello' };
  return converter.convert({ ...plain, ...fields });
}

describe('OTLP over HTTP', () => {
  let receiver: OtlpReceiver;

  beforeEach(async () => (receiver = await OtlpReceiver.start()));
  afterEach(() => receiver.close());

  function sender(more: Partial<Parameters<typeof otlpLogs>[0]> = {}): ReturnType<typeof otlpLogs> {
    return otlpLogs({ url: receiver.url, headers: {}, timeout: once, ...more });
  }

  async function fails(send: ReturnType<typeof otlpLogs>, type: OtlpSendResult['type'], reason: RegExp): Promise<void> {
    const result = await send([record()]);
    assert.ok(result.type !== 'sent' && result.type === type);
    assert.match(inEnglish(result.reason), reason);
  }

  it('sends every field', async () => {
    const send = sender({ headers: { Authorization: 'Bearer abc' } });
    const words = { logger: 'db', sessionId: 'session-12345678', message: 'Ünïcode 😀 \ud800' };
    const data = { rows: 3, ratio: 0.5, ok: false, name: 'x' };
    const full = { seq: 1, time: 1_600_000_000_001, level: 'critical', ...words, data } as const;
    assert.deepEqual(await send([record(mine, full), record(other), record(mine)]), { type: 'sent' });
    assert.equal(receiver.requests[0]?.headers.authorization, 'Bearer abc');
    assert.equal(receiver.requests[0].headers['content-type'], 'application/json');
    const logs = receiver.logs.map(({ resource, scope, body }) => [resource['service.name'], scope, body].join());
    assert.deepEqual(logs, ['Mine,db,Ünïcode 😀 \ufffd', 'Mine,,hello', 'Other,,hello']);
    const [first, second] = receiver.logs;
    const { timeUnixNano, observedTimeUnixNano, severityNumber, severityText, resource, attributes } = first!;
    assert.deepEqual([timeUnixNano, observedTimeUnixNano], ['1600000000001000000', '1700000000123000000']);
    assert.deepEqual([severityNumber, severityText, resource['service.instance.id']], [18, 'critical', 'run-1']);
    assert.deepEqual([first!.traceId, first!.spanId, first!.flags], [trace.traceId, trace.spanId, 1]);
    assert.deepEqual(attributes, {
      ...{ 'agent_logs.kind': 'log', 'agent_logs.seq': 1, 'session.id': '12345678' },
      ...{ 'data.rows': 3, 'data.ratio': 0.5, 'data.ok': false, 'data.name': 'x' },
    });
    assert.equal(second!.traceId, undefined);
  });

  it('reports a refused connection, and sends once the collector listens', async () => {
    const { url } = receiver;
    const send = sender();
    await receiver.close();
    await fails(send, 'unreachable', /ECONNREFUSED/);
    receiver = await OtlpReceiver.start(Number(new URL(url).port));
    assert.deepEqual(await send([record()]), { type: 'sent' });
  });

  it('waits as Retry-After of 429 and 503 says', async () => {
    receiver.answers = [429, 503].map((status, index) => ({ status, retryAfter: String(index) }));
    const send = sender({ timeout: 5000 });
    assert.deepEqual(await send([record()]), { type: 'sent' });
    const [first, second, third] = receiver.requests.map(({ at }) => at);
    assert.ok(second! - first! < 900);
    assert.ok(third! - second! >= 990);
    assert.equal(receiver.logs.length, 1);
  });

  it('gives up at once if Retry-After exceeds the timeout', async () => {
    receiver.answers = [{ status: 503, retryAfter: '3600' }];
    await fails(sender(), 'unreachable', /overloaded or unavailable/);
    assert.equal(receiver.requests.length, 1);
  });

  it('times out if there is no answer', async () => {
    receiver.answers = ['hang'];
    const send = sender({ timeout: 50 });
    assert.deepEqual(await send([record()]), { type: 'unreachable', reason: verbatim('Request timed out') });
  });

  it("reports the HTTP status of a rejected request and doesn't retry it", async () => {
    for (const status of [404, 401]) {
      receiver.answers = [{ status }];
      await fails(sender(), 'refused', new RegExp(`HTTP ${status}`));
    }
    assert.equal(receiver.requests.length, 2);
  });

  it('sends the same as protobuf, also compressed', async () => {
    const send = sender();
    const binary = sender({ encoding: 'protobuf' });
    const full = record(mine, { seq: 1, sessionId: 'session-12345678', data: { rows: -3, ratio: 0.5, ok: false } });
    assert.deepEqual(await send([full]), { type: 'sent' });
    assert.deepEqual(await binary([full]), { type: 'sent' });
    process.env['OTEL_EXPORTER_OTLP_COMPRESSION'] = 'gzip';
    const compressed = sender({ encoding: 'protobuf' });
    delete process.env['OTEL_EXPORTER_OTLP_COMPRESSION'];
    assert.deepEqual(await compressed([full]), { type: 'sent' });
    const headers = receiver.requests.map((one) => rowsOf([one.headers], 'content-type', 'content-encoding').join());
    const [plain, protobuf] = ['application/json -', 'application/x-protobuf'];
    assert.deepEqual(headers, [plain, `${protobuf} -`, `${protobuf} gzip`]);
    const [json, ...others] = receiver.logs;
    for (const other of others) assert.deepEqual(other, json);
    receiver.answers = [{ rejected: 1, why: 'too old' }];
    assert.deepEqual(await binary([full, full]), { type: 'sent', rejected: 1, reason: verbatim('too old') });
  });

  it('sends a request again whose connection was cut', async () => {
    receiver.answers = ['cut'];
    const send = sender({ timeout: 5000 });
    assert.deepEqual(await withoutPauses(() => send([record()])), { type: 'sent' });
    assert.equal(receiver.logs.length, 1);
  });

  it('reads how many records the collector rejected', async () => {
    const rejecting = (rejectedLogRecords: unknown): { status: number; body: string } => {
      const partialSuccess = { rejectedLogRecords, errorMessage: 'bad' };
      return { status: 200, body: JSON.stringify({ partialSuccess }) };
    };
    const send = sender();
    receiver.answers = [rejecting('1'), rejecting(1), rejecting('9')];
    assert.deepEqual(await send([record(), record()]), { type: 'sent', rejected: 1, reason: verbatim('bad') });
    for (const _ of [1, 9]) await fails(send, 'refused', /^bad$/);
    assert.deepEqual(await send([record()]), { type: 'sent' });
  });

  it('treats any other 200 response as a success', async () => {
    const bodies = ['', 'OK', 'null', '[]', '{"partialSuccess":null}', '{"partialSuccess":{"rejectedLogRecords":"x"}}'];
    receiver.answers = bodies.map((body) => ({ status: 200, body }));
    const send = sender();
    for (const body of bodies) assert.deepEqual(await send([record()]), { type: 'sent' }, body);
  });
});
