import assert from 'node:assert/strict';
import { JsonLogsSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import fc from 'fast-check';
import { levels } from '../../../src/text/level';
import type { LogRecord } from '../../../src/text/record';
import { Redactor } from '../../../src/redact/redactor';
import { OtlpConverter } from '../../../src/otlp/otlpRecord';
import { received } from '../../support/otlpReceiver';
import { holds } from '../../support/property';

const sessionId = '0199c1d2-aaaa-bbbb-cccc-1234567890ab';
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function record(fields: Partial<LogRecord> = {}): LogRecord {
  return { seq: 1, receivedAt: 1_700_000_000_123, level: 'info', kind: 'log', message: 'hello', ...fields };
}

function convert(fields: Partial<LogRecord> = {}, raw?: string): ReadableLogRecord {
  return new OtlpConverter({ attributes: { 'service.name': 'Mine' }, raw: () => raw }).convert(record(fields));
}

describe('OTLP record', () => {
  it("has the data model's severity numbers for syslog, and the level's own name", () => {
    for (const [n, level] of levels.entries()) {
      const { severityNumber, severityText } = convert({ level });
      assert.deepEqual([severityNumber, severityText], [[5, 9, 10, 13, 17, 18, 19, 21][n], level]);
    }
  });

  it("has the agent's time if it can be sent, and the time of arrival", () => {
    const { hrTime, hrTimeObserved } = convert({ time: 1_600_000_000_000.5 });
    assert.deepEqual(hrTime, [1_600_000_000, 500_000]);
    assert.deepEqual(hrTimeObserved, [1_700_000_000, 123_000_000]);
    for (const time of [-1, Number.NaN, 1e300]) {
      assert.deepEqual(convert({ time }).hrTime, hrTimeObserved);
    }
  });

  it('has the fields of data as attributes, and nested ones as JSON', () => {
    const data = { n: 1.5, ok: true, text: 'a', list: [1, { b: 2 }], nothing: null, __proto__: 'x' };
    const { attributes } = convert({ data: { ...data, ['__proto__']: 'own' } });
    const own = { 'agent_logs.kind': 'log', 'agent_logs.seq': 1 };
    const plain = { 'data.n': 1.5, 'data.ok': true, 'data.text': 'a', 'data.__proto__': 'own' };
    assert.deepEqual({ ...attributes }, { ...own, ...plain, 'data.list': '[1,{"b":2}]', 'data.nothing': 'null' });
    assert.equal(convert({ data: ['a'] }).attributes['data'], '["a"]');
  });

  it('shortens session IDs everywhere', () => {
    const data = { id: sessionId, nested: { [sessionId]: sessionId } };
    const mapped = convert({ sessionId, message: `session ${sessionId}`, data });
    assert.ok(!JSON.stringify(mapped).includes(sessionId));
    assert.equal(mapped.attributes['session.id'], '567890ab');
    assert.equal(mapped.body, 'session …567890ab');
  });

  it('is bounded and says where it was cut', () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, 'x'.repeat(10_000)]));
    const mapped = convert({ message: 'y'.repeat(1e6), logger: 'l'.repeat(1000), data });
    assert.match(mapped.body as string, /^y{32768}… \(\d+ more characters\)$/);
    assert.equal(mapped.droppedAttributesCount, 36);
    assert.match(mapped.attributes['data.f0'] as string, /^x{4096}… \(\d+ more characters\)$/);
    assert.ok(mapped.instrumentationScope.name.length < 150);
  });

  const anyText = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `${text}\ud83d`);
  const anyData = fc.jsonValue().chain((value) => fc.constantFrom(value, { value }, { text: '\udc00', value }));
  holds(
    'has no value that a collector rejects',
    300,
    fc.property(anyText, anyText, fc.oneof(anyData, fc.double(), fc.maxSafeNat()), (message, name, data) => {
      const given = [data, { [name]: data }, 1e300][message.length % 3];
      const fields = { message, logger: name, sessionId: message, data: given };
      const request = JsonLogsSerializer.serializeRequest([convert(fields)]);
      assert.equal(received(Buffer.from(request ?? []).toString()).length, 1);
    }),
  );

  it('gives records of one logger the same scope, and bounds the number of logger names', () => {
    const converter = new OtlpConverter({ attributes: {}, raw: () => undefined });
    const scopeOf = (logger: string): unknown => converter.convert(record({ logger })).instrumentationScope;
    const first = scopeOf('a');
    assert.equal(scopeOf('a'), first);
    for (let i = 0; i < 1000; i++) scopeOf(`logger ${i}`);
    assert.notEqual(scopeOf('a'), first);
  });
});

describe('trace context', () => {
  const traceOf = (raw: string | undefined): ReadableLogRecord['spanContext'] => convert({}, raw).spanContext;
  const traceFor = (value: unknown): unknown => traceOf(line({ _meta: { traceparent: value } }));
  const line = (params: unknown): string => JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params });

  it('is read from params._meta of the message', () => {
    const expected = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };
    assert.deepEqual(traceOf(line({ _meta: { traceparent } })), expected);
    assert.deepEqual(traceOf(`${line({ _meta: { traceparent } })}\n${line({})}`), expected);
  });

  it('ignores a traceparent anywhere else', () => {
    const inside = { _meta: { traceparent } };
    const lines = [{ traceparent }, { data: inside }, { text: line(inside) }].map(line);
    for (const raw of [...lines, undefined, '', '"traceparent"', '{"traceparent"', '[{"traceparent":1}]']) {
      assert.equal(traceOf(raw), undefined, raw);
    }
  });

  it('accepts every valid W3C Trace Context', () => {
    const ids = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
    const [trace, span] = ids.split('-');
    assert.match(JSON.stringify(traceFor(`cc-${ids}-00-what.the.future.brings`)), /"traceFlags":0/);
    for (const value of [
      ...[1, '', `ff-${ids}-01`, `00-${ids}-01-more`, `00-${ids.toUpperCase()}-01`, `00-${ids}-1`],
      ...[`00-${'0'.repeat(32)}-${span}-01`, `00-${trace}-${'0'.repeat(16)}-01`],
    ]) {
      assert.equal(traceFor(value), undefined, String(value));
    }
  });

  it('survives redaction', () => {
    const raw = new Redactor().line(line({ _meta: { traceparent } }));
    assert.equal(traceOf(raw)?.spanId, 'b7ad6b7169203331');
  });
});
