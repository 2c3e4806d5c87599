import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/text/record';
import { NdjsonLogInterpreter } from '../../../../src/protocols/ndjson/ndjsonLogInterpreter';
import { StreamWire } from '../../../support/streamWire';

const noon = Date.parse('2026-11-20T12:00:00Z');

function wire(): StreamWire {
  return new StreamWire((context) => new NdjsonLogInterpreter(context));
}

function read(line: string): Omit<LogRecord, 'seq' | 'receivedAt'>[] {
  return wire()
    .line(line)
    .exit()
    .records.slice(0, -1)
    .map(({ seq: _seq, receivedAt: _receivedAt, ...fields }) => fields);
}

describe('NDJSON log interpreter', () => {
  const entries: [string, string, Partial<LogRecord>][] = [
    [
      'pino',
      '{"level":40,"time":1795176000000,"pid":1,"hostname":"h","name":"agent","msg":"slow","ms":12}',
      { level: 'warning', time: noon, logger: 'agent', message: 'slow', data: { ms: 12 } },
    ],
    [
      'bunyan',
      '{"name":"agent","hostname":"h","pid":1,"level":60,"msg":"gone","time":"2026-11-20T12:00:00.000Z","v":0}',
      { level: 'critical', time: noon, logger: 'agent', message: 'gone' },
    ],
    [
      'winston',
      '{"level":"warn","message":"slow","timestamp":"2026-11-20T12:00:00.000Z","service":"agent"}',
      { level: 'warning', time: noon, logger: 'agent', message: 'slow' },
    ],
    [
      'zap',
      '{"level":"error","ts":1795176000.25,"logger":"http","caller":"a/b.go:1","msg":"failed","error":"EOF"}',
      {
        level: 'error',
        time: noon + 250,
        logger: 'http',
        message: 'failed',
        data: { caller: 'a/b.go:1', error: 'EOF' },
      },
    ],
    [
      'slog',
      '{"time":"2026-11-20T12:00:00Z","level":"INFO","msg":"ready","port":80}',
      { level: 'info', time: noon, message: 'ready', data: { port: 80 } },
    ],
    [
      'events with a level, as Qoder logs them',
      '{"ts":"2026-11-20T12:00:00Z","seq":9,"level":"warn","type":"cli.route.entered","data":{"mode":"headless","level":3}}',
      { level: 'warning', time: noon, message: 'cli.route.entered', data: { mode: 'headless', seq: 9 } },
    ],
    [
      'log4j, as ECS has it',
      '{"@timestamp":"2026-11-20T12:00:00Z","log.level":"WARN","message":"slow","log.logger":"a.B","ecs.version":"1.2.0"}',
      { level: 'warning', time: noon, logger: 'a.B', message: 'slow', data: { 'ecs.version': '1.2.0' } },
    ],
    [
      'tracing (Rust)',
      '{"timestamp":"2026-11-20T12:00:00Z","level":"ERROR","fields":{"message":"closed","code":7},"target":"codex_api::retry"}',
      { level: 'error', time: noon, logger: 'codex_api::retry', message: 'closed', data: { code: 7 } },
    ],
    [
      'OpenTelemetry, a record',
      '{"timeUnixNano":"1795176000000000000","severityNumber":17,"body":{"stringValue":"failed"},"attributes":[{"key":"n","value":{"intValue":"3"}},{"key":"l","value":{"arrayValue":{"values":[{"boolValue":true}]}}}],"traceId":"t1"}',
      { level: 'error', time: noon, message: 'failed', data: { n: 3, l: [true], traceId: 't1' } },
    ],
    [
      'OpenTelemetry, by its original names; null stays null',
      '{"resource_logs":[{"resource":{"attributes":[{"key":"service.name","value":{"string_value":"shop"}}]},"scope_logs":[{"log_records":[{"time_unix_nano":"1795176000000000000","severity_number":17,"body":{"string_value":"failed"},"trace_id":"0AF7651916CD43DD8448EB211C80319C","attributes":[{"key":"n","value":{"int_value":"3"}},{"key":"a","value":null},{"key":"b","value":{}},{"key":"c","value":{"array_value":{"values":[{},{"bool_value":true}]}}}]}]}]}]}',
      {
        level: 'error',
        time: noon,
        logger: 'shop',
        message: 'failed',
        data: { n: 3, a: null, b: null, c: [null, true], traceId: '0AF7651916CD43DD8448EB211C80319C' },
      },
    ],
    [
      'OpenTelemetry, in capitals',
      '{"Timestamp":"2026-11-20T12:00:00Z","SeverityText":"Warn","SeverityNumber":13,"Body":"slow","Attributes":{"n":3},"InstrumentationScope":{"name":"lib"}}',
      { level: 'warning', time: noon, logger: 'lib', message: 'slow', data: { n: 3 } },
    ],
    [
      'a session of its own',
      '{"level":"info","msg":"hello","session_id":"session-1"}',
      { level: 'info', sessionId: 'session-1', message: 'hello' },
    ],
    [
      'GELF',
      '{"version":"1.1","short_message":"gone","level":3,"timestamp":1795176000.25,"_user":7}',
      { level: 'error', time: noon + 250, message: 'gone', data: { version: '1.1', _user: 7 } },
    ],
    ...(['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'] as const).map(
      (level, i): [string, string, Partial<LogRecord>] => [
        `the severity ${i} of syslog`,
        `{"level":${i},"msg":"m","facility":3}`,
        { level, message: 'm', data: { facility: 3 } },
      ],
    ),
    ...[0, 1, 3, 5].map((level): [string, string, Partial<LogRecord>] => [
      `the number ${level}, which means something else in each logger`,
      `{"level":${level},"msg":"m"}`,
      { level: 'info', message: 'm', data: { level } },
    ]),
    ['a number that is no level', '{"level":3.5,"msg":"m"}', { level: 'info', message: 'm', data: { level: 3.5 } }],
    [
      'a time of HTTP',
      '{"msg":"m","time":"Fri, 20 Nov 2026 12:00:00 GMT"}',
      { level: 'info', time: noon, message: 'm' },
    ],
    ...['Fri Nov 20 2026 13:00:00 GMT+0100 (Central European Standard Time)', 'Fri, 20 Nov 2026 07:00:00 EST'].map(
      (time): [string, string, Partial<LogRecord>] => [
        `the time ${time}`,
        JSON.stringify({ msg: 'm', time }),
        { level: 'info', time: noon, message: 'm' },
      ],
    ),
    ...['11/20/2026', 'Nov 20 2026', '20 Nov 2026'].map((date): [string, string, Partial<LogRecord>] => [
      `the date ${date}`,
      JSON.stringify({ msg: 'm', date }),
      { level: 'info', time: Date.parse('2026-11-20T00:00:00'), message: 'm' },
    ]),
    ['a time that is none', '{"msg":"m","time":"step 1"}', { level: 'info', message: 'm', data: { time: 'step 1' } }],
    ['how long it took', '{"msg":"m","time":"1500"}', { level: 'info', message: 'm', data: { time: '1500' } }],
    ['no level', '{"msg":"hello"}', { level: 'info', message: 'hello' }],
    ['no message', '{"level":"error","code":7}', { level: 'error', message: '{"code":7}' }],
    ['an unknown level', '{"level":"loud","msg":"m"}', { level: 'info', message: 'm', data: { level: 'loud' } }],
    ['nothing', '{}', { level: 'info', message: '{}' }],
    ['a string', '"hello"', { level: 'info', message: 'hello' }],
    [
      'text',
      '2026-11-20T12:00:00Z ERROR agent: gone',
      { level: 'error', time: noon, logger: 'agent', message: 'gone' },
    ],
    ['JSON that was cut', '{"level":"info","msg":"he', { level: 'info', message: '{"level":"info","msg":"he' }],
  ];
  for (const [what, line, expected] of entries) {
    it(`reads ${what}`, () => assert.deepEqual(read(line), [{ kind: 'log', ...expected }]));
  }

  it('reads each log record of an OTLP/JSON line, with its scope and its own part of the line', () => {
    const record = (severityNumber: unknown, text: string): unknown => ({
      severityNumber,
      body: { stringValue: text },
    });
    const msg = {
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'claude-code' } }] },
          scopeLogs: [
            { scope: { name: 'events' }, logRecords: [record(9, 'one'), record('SEVERITY_NUMBER_WARN2', 'two')] },
            {
              logRecords: [
                { eventName: 'api_error', attributes: [{ key: 'session.id', value: { stringValue: 'session-1' } }] },
              ],
            },
          ],
        },
      ],
    };
    const run = wire().send(msg);
    assert.deepEqual(
      run.records.map(({ level, sessionId, logger, message }) => [level, sessionId, logger, message]),
      [
        ['info', undefined, 'events', 'one'],
        ['warning', undefined, 'events', 'two'],
        ['info', 'session-1', 'claude-code', 'api_error'],
      ],
    );
    assert.equal(run.log.store.raw(2), JSON.stringify(record('SEVERITY_NUMBER_WARN2', 'two')));
  });

  it('joins the lines of a stack trace, and keeps the order', () => {
    const run = wire();
    run.accept({ t: 1, dir: 'a2c', line: 'Traceback (most recent call last):' });
    run.accept({ t: 1, dir: 'a2c', line: '  File "a.py", line 1, in <module>' });
    run.accept({ t: 1, dir: 'a2c', line: 'ValueError: no' });
    assert.equal(run.isWaiting, true);
    run.send({ level: 'info', msg: 'next' });
    assert.deepEqual(
      run.records.map(({ level, kind, message }) => [level, kind, message.split('\n').length]),
      [
        ['error', 'log', 3],
        ['info', 'log', 1],
      ],
    );
  });

  it('separates stderr and process events from the log', () => {
    const kinds = wire()
      .stderr('WARN low')
      .line('text')
      .exit(1)
      .records.map(({ kind, level }) => `${kind} ${level}`);
    assert.deepEqual(kinds, ['stderr warning', 'log info', 'lifecycle error']);
  });

  it('reports the length of a line that could not be read', () => {
    const run = wire().accept({ t: 1, dir: 'a2c', line: '{"msg":"', bytes: 9_000_000 });
    assert.deepEqual(run.lines, ['warning log a line of 9000000 bytes is too long to be read; it begins: {"msg":"']);
  });

  it('reads any JSON without throwing, bounds every record and loses none', () => {
    const name = fc.constantFrom(
      'level',
      'msg',
      'message',
      'time',
      'body',
      'attributes',
      'severityNumber',
      'log',
      'fields',
    );
    const entry = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(name, fc.oneof(fc.jsonValue(), fc.constant('x'.repeat(20_000)))),
      fc.record({
        resourceLogs: fc.array(fc.record({ scopeLogs: fc.array(fc.record({ logRecords: fc.jsonValue() })) })),
      }),
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
