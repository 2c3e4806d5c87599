import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/text/record';
import { NdjsonLogInterpreter } from '../../../../src/protocols/ndjson/ndjsonLogInterpreter';
import { rowsOf } from '../../../support/columns';
import { assertGolden } from '../../../support/golden';
import { headedTexts } from '../../../support/headedTexts';
import { StreamWire } from '../../../support/streamWire';

const noon = Date.parse('2026-11-20T12:00:00Z');

function wire(): StreamWire {
  return new StreamWire((context) => new NdjsonLogInterpreter(context));
}

function read(line: string): Omit<LogRecord, 'seq' | 'receivedAt'>[] {
  const { records } = wire().line(line).exit();
  return records.slice(0, -1).map(({ seq: _seq, receivedAt: _receivedAt, ...fields }) => fields);
}

describe('NDJSON log interpreter', () => {
  it('reads what each logger writes', () => {
    const told = headedTexts('test/fixtures/ndjson/loggers.txt').map(([name, line]) => {
      const [{ time, ...entry } = {}, ...more] = read(line);
      assert.deepEqual(more, []);
      const at = time !== undefined && { time: new Date(time) };
      return `=== ${name}\n${line}\n    ${JSON.stringify({ ...at, ...entry })}\n`;
    });
    assertGolden('test/golden/ndjson/loggers.txt', told.join(''));
  });

  it('reads each log record of an OTLP/JSON line, with its scope and its own part of the line', () => {
    const attribute = (key: string, stringValue: string): object => ({ key, value: { stringValue } });
    const one = { severityNumber: 9, body: { stringValue: 'one' } };
    const two = { severityNumber: 'SEVERITY_NUMBER_WARN2', body: { stringValue: 'two' } };
    const three = { eventName: 'api_error', attributes: [attribute('session.id', 'session-1')] };
    const resource = { attributes: [attribute('service.name', 'claude-code')] };
    const scopeLogs = [{ scope: { name: 'events' }, logRecords: [one, two] }, { logRecords: [three] }];
    const run = wire().send({ resourceLogs: [{ resource, scopeLogs }] });
    assert.deepEqual(rowsOf(run.records, 'level', 'sessionId', 'logger', 'message'), [
      'info - events one',
      'warning - events two',
      'info session-1 claude-code api_error',
    ]);
    assert.equal(run.log.store.raw(2), JSON.stringify(two));
  });

  it('joins the lines of a stack trace, and keeps the order', () => {
    const run = wire();
    const trace = ['Traceback (most recent call last):', '  File "a.py", line 1, in <module>', 'ValueError: no'];
    for (const line of trace) run.accept({ t: 1, dir: 'a2c', line });
    assert.equal(run.isWaiting, true);
    run.send({ level: 'info', msg: 'next' });
    assert.deepEqual(run.lines, [`error log ${trace.join('\n')}`, 'info log next']);
  });

  it('separates stderr and process events from the log', () => {
    const { records } = wire().stderr('WARN low').line('text').exit(1);
    assert.deepEqual(rowsOf(records, 'kind', 'level'), ['stderr warning', 'log info', 'lifecycle error']);
  });

  it('reports the length of a line that could not be read', () => {
    const run = wire().accept({ t: 1, dir: 'a2c', line: '{"msg":"', bytes: 9_000_000 });
    assert.deepEqual(run.lines, ['warning log a line of 9000000 bytes is too long to be read; it begins: {"msg":"']);
  });

  it('reads any JSON without throwing, bounds every record and loses none', () => {
    const names = ['level', 'msg', 'message', 'time', 'body', 'attributes', 'severityNumber', 'log', 'fields'];
    const value = fc.oneof(fc.jsonValue(), fc.constant('x'.repeat(20_000)));
    const scopeLogs = fc.array(fc.record({ logRecords: fc.jsonValue() }));
    const entry = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...names), value),
      fc.record({ resourceLogs: fc.array(fc.record({ scopeLogs })) }),
    );
    fc.assert(
      fc.property(entry, (msg) => {
        const run = wire().send(msg).exit();
        const isBatch = Array.isArray(msg) || (typeof msg === 'object' && msg !== null && 'resourceLogs' in msg);
        if (!isBatch) assert.equal(run.records.length, 2);
        for (const { message, logger = '', data } of run.records) {
          assert.ok(message.length <= 4200 && logger.length <= 101);
          assert.ok(data === undefined || JSON.stringify(data).length <= 10_000);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps an invalid or oversized OpenTelemetry integer unchanged', () => {
    const values = ['7', '9223372036854775807', 7.5, { toString: 1, valueOf: 1 }];
    const attributes = values.map((intValue, i) => ({ key: `k${i}`, value: { intValue } }));
    const [record] = read(JSON.stringify({ severityNumber: 9, body: 'm', attributes }));
    assert.deepEqual(Object.values(record?.data as object), [7, ...values.slice(1)]);
  });

  it('uses the time of each entry, not of the file', () => {
    const cameAt = (line: string): number | undefined => wire().line(line).exit().records[0]?.receivedAt;
    const readAt = cameAt('{"level":30,"msg":"m"}');
    assert.equal(cameAt('{"level":30,"time":1795176000000,"msg":"m"}'), noon);
    assert.equal(cameAt('2026-11-20T12:00:00Z INFO m'), noon);
    assert.equal(cameAt('{"level":"info","ts":12.5,"msg":"since it was started"}'), readAt);
  });

  it('reports how many excess fields were dropped', () => {
    const fields = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`k${i}`, i]));
    const [record] = read(JSON.stringify({ level: 'info', msg: 'm', ...fields }));
    assert.equal((record?.data as Record<string, unknown>)['…'], '1470 more fields');
  });

  it("doesn't pollute prototypes", () => {
    const [record] = read('{"level":"info","msg":"m","__proto__":{"polluted":1}}');
    assert.deepEqual(Object.keys(record?.data as object), ['__proto__']);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});
