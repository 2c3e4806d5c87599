import assert from 'node:assert/strict';
import { levels } from '../../../../src/log/level';
import type { LogRecord } from '../../../../src/log/record';
import { Redactor } from '../../../../src/log/redact/redactor';
import { otlpRecord } from '../../../../src/runs/otlp/otlpRecord';
import { readTraceparent, traceOf } from '../../../../src/runs/otlp/traceContext';

const resource = { attributes: { 'service.name': 'Mine' } };
const sessionId = '0199c1d2-aaaa-bbbb-cccc-1234567890ab';
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function record(fields: Partial<LogRecord> = {}): LogRecord {
  return { seq: 1, receivedAt: 1_700_000_000_123, level: 'info', kind: 'log', message: 'hello', ...fields };
}

describe('OTLP record', () => {
  it("has the numbers of the data model's mapping of syslog, and the level's own name", () => {
    const mapped = levels.map((level) => otlpRecord(resource, record({ level }), undefined));
    assert.deepEqual(
      mapped.map(({ severityNumber }) => severityNumber),
      [5, 9, 10, 13, 17, 18, 19, 21],
    );
    assert.deepEqual(
      mapped.map(({ severityText }) => severityText),
      [...levels],
    );
  });

  it("has the agent's time where it gave one that can be sent, and the arrival", () => {
    const { hrTime, hrTimeObserved } = otlpRecord(resource, record({ time: 1_600_000_000_000.5 }), undefined);
    assert.deepEqual(
      [hrTime, hrTimeObserved],
      [
        [1_600_000_000, 500_000],
        [1_700_000_000, 123_000_000],
      ],
    );
    for (const time of [-1, Number.NaN, 1e300]) {
      assert.deepEqual(otlpRecord(resource, record({ time }), undefined).hrTime, hrTimeObserved);
    }
  });

  it('has the fields of data as attributes, and nested ones as JSON', () => {
    const data = { n: 1.5, ok: true, text: 'a', list: [1, { b: 2 }], nothing: null, __proto__: 'x' };
    const { attributes } = otlpRecord(resource, record({ data: { ...data, ['__proto__']: 'own' } }), undefined);
    assert.deepEqual(
      { ...attributes },
      {
        'agent_logs.kind': 'log',
        'agent_logs.seq': 1,
        'data.n': 1.5,
        'data.ok': true,
        'data.text': 'a',
        'data.list': '[1,{"b":2}]',
        'data.nothing': 'null',
        'data.__proto__': 'own',
      },
    );
    assert.equal(otlpRecord(resource, record({ data: ['a'] }), undefined).attributes['data'], '["a"]');
  });

  it('shows no session id whole, wherever it stands', () => {
    const data = { id: sessionId, nested: { [sessionId]: sessionId } };
    const mapped = otlpRecord(resource, record({ sessionId, message: `session ${sessionId}`, data }), undefined);
    assert.ok(!JSON.stringify(mapped).includes(sessionId));
    assert.equal(mapped.attributes['session.id'], '567890ab');
    assert.equal(mapped.body, 'session …567890ab');
  });

  it('is bounded, and says so', () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, 'x'.repeat(10_000)]));
    const mapped = otlpRecord(
      resource,
      record({ message: 'y'.repeat(1e6), logger: 'l'.repeat(1000), data }),
      undefined,
    );
    assert.ok(mapped.body.length < 33_000);
    assert.match(mapped.body, /more characters/);
    assert.equal(mapped.droppedAttributesCount, 36);
    assert.ok(String(mapped.attributes['data.f0']).length < 4200);
    assert.ok(mapped.scope.length < 150);
  });
});

describe('trace context', () => {
  const line = (params: unknown): string => JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params });

  it('is read from params._meta of the message', () => {
    const expected = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };
    assert.deepEqual(traceOf(line({ _meta: { traceparent } })), expected);
    assert.deepEqual(traceOf(`${line({ _meta: { traceparent } })}\n${line({})}`), expected);
  });

  it('is not read from anywhere else', () => {
    for (const params of [
      { traceparent },
      { data: { _meta: { traceparent } } },
      { text: line({ _meta: { traceparent } }) },
    ]) {
      assert.equal(traceOf(line(params)), undefined);
    }
    for (const raw of [undefined, '', '"traceparent"', '{"traceparent"', '[{"traceparent":1}]']) {
      assert.equal(traceOf(raw), undefined);
    }
  });

  it('follows W3C Trace Context about what is valid', () => {
    const ids = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
    assert.equal(readTraceparent(`cc-${ids}-00-what.the.future.brings`)?.traceFlags, 0);
    for (const value of [
      1,
      '',
      `ff-${ids}-01`,
      `00-${ids}-01-more`,
      `00-${ids.toUpperCase()}-01`,
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
      `00-${ids}-1`,
      ` 00-${ids}-01`,
    ]) {
      assert.equal(readTraceparent(value), undefined, String(value));
    }
  });

  it('survives redaction', () => {
    const raw = new Redactor().line(line({ _meta: { traceparent } }));
    assert.equal(traceOf(raw)?.spanId, 'b7ad6b7169203331');
  });
});
