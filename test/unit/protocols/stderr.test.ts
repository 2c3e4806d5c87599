import assert from 'node:assert/strict';
import type { RecordDraft } from '../../../src/text/record';
import { parseLogfmt, readStderrLine } from '../../../src/protocols/stderr/stderrLine';
import { StderrEntries } from '../../../src/protocols/stderr/stderrEntries';

/** The records of lines that arrive `ms` milliseconds apart. */
function group(text: string, ms = 0): RecordDraft[] {
  const records: RecordDraft[] = [];
  const groups = new StderrEntries((_, record) => records.push(record));
  text.split('\n').forEach((line, i) => groups.add({ t: i * ms, dir: 'err', line }));
  groups.complete();
  return records;
}

describe('a line of standard error', () => {
  const local = Date.parse('2026-11-20 12:00:00');
  const cases: [string, ReturnType<typeof readStderrLine>][] = [
    ['just some text', { message: 'just some text' }],
    ['Error handling request {', { message: 'Error handling request {' }],
    [
      "Error handling request { id: 3, method: '_x' } {",
      { message: "Error handling request { id: 3, method: '_x' } {" },
    ],
    ['Error [ERR_X]: bad', { level: 'error', message: 'Error [ERR_X]: bad' }],
    [
      "thread 'main' panicked at src/main.rs:1:2:",
      { level: 'error', message: "thread 'main' panicked at src/main.rs:1:2:" },
    ],
    [
      "thread 'main' (12345) panicked at src/main.rs:1:2:",
      { level: 'error', message: "thread 'main' (12345) panicked at src/main.rs:1:2:" },
    ],
    ["thread 'main' (the first) panicked at noon", { message: "thread 'main' (the first) panicked at noon" }],
    ['[session/create] phase=settings', { message: '[session/create] phase=settings' }],
    ['[WARN] low on memory', { level: 'warning', message: 'low on memory' }],
    ['[ info ] hello', { level: 'info', message: 'hello' }],
    ['ERROR: no such file', { level: 'error', message: 'no such file' }],
    ['warning: unused', { level: 'warning', message: 'unused' }],
    ['error[E0308]: mismatched types', { level: 'error', message: 'mismatched types' }],
    ['WARN  something', { level: 'warning', message: 'something' }],
    ['warn of this', { message: 'warn of this' }],
    ["Error: Cannot find module 'x'", { level: 'error', message: "Error: Cannot find module 'x'" }],
    ['TypeError: x is not a function', { level: 'error', message: 'TypeError: x is not a function' }],
    [
      '2026-11-20T11:31:55.123456Z ERROR codex_api::retry: stream closed',
      {
        level: 'error',
        time: Date.parse('2026-11-20T11:31:55.123Z'),
        logger: 'codex_api::retry',
        message: 'stream closed',
      },
    ],
    [
      '2026-11-20T11:31:55Z [INFO] started',
      { level: 'info', time: Date.parse('2026-11-20T11:31:55Z'), message: 'started' },
    ],
    ['ERROR:root:no database', { level: 'error', logger: 'root', message: 'no database' }],
    ['CRITICAL:mcp.server:boom: 7', { level: 'critical', logger: 'mcp.server', message: 'boom: 7' }],
    ['error:0308010C:digital envelope', { message: 'error:0308010C:digital envelope' }],
    ['ERROR:http://localhost', { message: 'ERROR:http://localhost' }],
    [
      '2026-11-20 12:00:00,123 - mcp.server - ERROR - no database',
      { level: 'error', time: local + 123, logger: 'mcp.server', message: 'no database' },
    ],
    ['2026-11-20 12:00:00,123 - WARNING - a - b', { level: 'warning', time: local + 123, message: 'a - b' }],
    [
      '2026-11-20 12:00:00.123 | ERROR    | __main__:<module>:12 - no database',
      { level: 'error', time: local + 123, logger: '__main__:<module>:12', message: 'no database' },
    ],
    ...[
      'alert manager started on :9093',
      'critical section entered',
      'Fatal errors will be reported to sentry',
      'panic recovered: nil map',
      'notice that the config has changed',
      'Error reading body: EOF',
    ].map((said): [string, ReturnType<typeof readStderrLine>] => [
      `2026/11/20 12:00:00 ${said}`,
      { message: `2026/11/20 12:00:00 ${said}` },
    ]),
    ['2026/11/20 12:00:00 [error] 7#0: no', { level: 'error', time: local, message: '7#0: no' }],
    ['2026/11/20 12:00:00 error: no database', { level: 'error', time: local, message: 'no database' }],
    [
      '2026-11-20 12:00:00,123 - uvicorn.access - INFO - 127.0.0.1:5555 - "GET / HTTP/1.1" 200',
      { level: 'info', time: local + 123, logger: 'uvicorn.access', message: '127.0.0.1:5555 - "GET / HTTP/1.1" 200' },
    ],
    [
      '2026-11-20 12:00:00,123 - mcp.server - ERROR - ValueError: bad value',
      { level: 'error', time: local + 123, logger: 'mcp.server', message: 'ValueError: bad value' },
    ],
    ['2026-11-20 12:00:00 ERROR ValueError: bad', { level: 'error', time: local, message: 'ValueError: bad' }],
    ...['v1.2.3 - ready', '3.5 - 4.5 range', 'http://localhost:8080 - no', '10.0.0.1:80 - no', 'node:20 - pulled'].map(
      (message): [string, ReturnType<typeof readStderrLine>] => [
        `2026-11-20 12:00:00 INFO ${message}`,
        { level: 'info', time: local, message },
      ],
    ),
    ['ERROR:test:', { level: 'error', logger: 'test', message: 'ERROR:test:' }],
    ['2026/11/20 12:00:00 ERROR no database', { level: 'error', time: local, message: 'no database' }],
    ['[11/20/26 12:00:00] ERROR    no database', { level: 'error', message: 'no database' }],
    [
      '2026-11-20T12:00:00Z [server] [error] no database',
      { level: 'error', time: Date.parse('2026-11-20T12:00:00Z'), logger: 'server', message: 'no database' },
    ],
    [
      '2026-11-20T12:00:00Z [server] error handling is on',
      { message: '2026-11-20T12:00:00Z [server] error handling is on' },
    ],
    [
      '[2026-11-20T12:00:00Z ERROR my_crate::mod] it failed',
      { level: 'error', time: Date.parse('2026-11-20T12:00:00Z'), logger: 'my_crate::mod', message: 'it failed' },
    ],
    [
      '[2026-11-20T12:00:00Z INFO  my_crate] ready: 7',
      { level: 'info', time: Date.parse('2026-11-20T12:00:00Z'), logger: 'my_crate', message: 'ready: 7' },
    ],
    ['[2026-11-20 12:00:00 error] no database', { level: 'error', time: local, message: 'no database' }],
    ['2026-11-20 12:00:00 [warning  ] it is slow', { level: 'warning', time: local, message: 'it is slow' }],
    ['2026-11-20 12:00:00 [info     ] [a] ready', { level: 'info', time: local, message: '[a] ready' }],
    ['[12:00:00 ERR] no database', { level: 'error', message: 'no database' }],
    ['[12:00:00 WRN] low on memory', { level: 'warning', message: 'low on memory' }],
    ['[12:00:00 FTL] no database', { level: 'critical', message: 'no database' }],
    ['[12:00:00 error handling] is on', { message: '[12:00:00 error handling] is on' }],
    ['[12:00:00 error]handling is on', { message: '[12:00:00 error]handling is on' }],
    ['[12:00:00] ERR is a level', { level: 'error', message: 'is a level' }],
    ['12:00:00.123 [main] ERROR c.e.Foo - boom', { level: 'error', logger: 'c.e.Foo', message: 'boom' }],
    ['12:00:00.123 [http 1] WARN boom - again', { level: 'warning', logger: 'http 1', message: 'boom - again' }],
    ['12:00:00 error handling is on', { message: '12:00:00 error handling is on' }],
    ['W1120 12:00:00.123456       1 a/b.go:138] boom', { level: 'warning', logger: 'a/b.go:138', message: 'boom' }],
    ['\u001b[33m[WARN]\u001b[0m coloured', { level: 'warning', message: 'coloured' }],
    [
      'timestamp=2026-11-20T11:33:29.238Z level=ERROR run=4c message="stream error" error.error="AI: \\"x\\""',
      {
        level: 'error',
        time: Date.parse('2026-11-20T11:33:29.238Z'),
        message: 'stream error',
        data: { run: '4c', 'error.error': 'AI: "x"' },
      },
    ],
    [
      '{"level":50,"time":1763640000000,"pid":1,"hostname":"h","name":"pi","msg":"failed","code":7}',
      { level: 'error', time: 1763640000000, logger: 'pi', message: 'failed', data: { code: 7 } },
    ],
    [
      '{"severity":"NOTICE","message":"m","timestamp":"2026-11-20T12:00:00Z"}',
      { level: 'notice', time: Date.parse('2026-11-20T12:00:00Z'), message: 'm' },
    ],
    [
      '[hub] {"ts":"2026-11-20T12:00:00Z","level":"warn","message":"m"}',
      { level: 'warning', time: Date.parse('2026-11-20T12:00:00Z'), logger: 'hub', message: 'm' },
    ],
    ['[hub] {"just":"an object"}', { message: '[hub] {"just":"an object"}' }],
    ['{"just":"an object"}', { message: '{"just":"an object"}' }],
    ['{"level":"loud","msg":"m"}', { message: 'm', data: { level: 'loud' } }],
    [
      '{"timestamp":"2026-11-20T12:00:00Z","level":"WARN","fields":{"message":"m","code":7},"target":"codex_api"}',
      {
        level: 'warning',
        time: Date.parse('2026-11-20T12:00:00Z'),
        logger: 'codex_api',
        message: 'm',
        data: { code: 7 },
      },
    ],
    [
      '{"@timestamp":"2026-11-20T12:00:00Z","log":{"level":"ERROR","logger":"db"},"message":"m"}',
      {
        level: 'error',
        time: Date.parse('2026-11-20T12:00:00Z'),
        logger: 'db',
        message: 'm',
      },
    ],
  ];
  for (const [line, expected] of cases) it(line, () => assert.deepEqual(readStderrLine(line), expected));

  it('is parsed in linear time', () => {
    const starts = ['', '12:00:00 ', '2026-11-20 12:00:00 ERROR ', '12:00:00 [main] ERROR ', 'ERROR:a'];
    for (const start of [...starts, '[12:00:00 ERROR ', '2026-11-20 12:00:00 [warning ', "thread '", "thread 'a' ("]) {
      for (const unit of [
        "' ",
        '1',
        '[',
        'a=',
        'Error',
        '2026-',
        'level="',
        '{"level":',
        'x.',
        ' ',
        ' - ',
        'a.-',
        '[main] ',
      ]) {
        readStderrLine(start + unit.repeat(200_000));
      }
    }
  });

  it('reads logfmt without prototype pollution', () => {
    assert.deepEqual(Object.entries(parseLogfmt('__proto__=1 a="b c" d=') ?? {}), [
      ['__proto__', '1'],
      ['a', 'b c'],
      ['d', ''],
    ]);
    assert.equal(parseLogfmt('no logfmt'), undefined);
    assert.deepEqual(parseLogfmt('a="open'), { a: 'open' });
  });
});

describe('lines of standard error', () => {
  it('form one record if they are a dump of util.inspect', () => {
    const records = group('Error handling request {\n  id: 2,\n  params: { a: 1 }\n} {\n  code: -32601\n}\nnext');
    assert.deepEqual(
      records.map(({ level, message }) => [level, message.split('\n').length]),
      [
        ['info', 6],
        ['info', 1],
      ],
    );
    assert.equal(records[0]?.raw?.split('\n').length, 6);
  });

  it('form one error record if they are an exception of Node.js, Python or Java', () => {
    const node =
      "file:///x/agent.js:12\n    throw new Error('boom');\n          ^\n\nError: boom\n    at run (file:///x/agent.js:12:11)\n\nNode.js v20.0.0";
    const python =
      'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    import nothing\nModuleNotFoundError: No module named nothing\nafter';
    const java =
      'java.lang.IllegalStateException: no\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: disk\n\t... 3 more';
    assert.deepEqual(
      group(node).map(({ level }) => level),
      ['error'],
    );
    assert.deepEqual(
      group(python).map(({ level, message }) => [level, message.split('\n').length]),
      [
        ['error', 4],
        ['info', 1],
      ],
    );
    assert.deepEqual(
      group(java).map(({ level }) => level),
      ['error'],
    );
  });

  it("are separate records if their level is in the column of the previous line's", () => {
    const column = ' '.repeat(20);
    const lines = [
      '[11/20/26 12:00:00] INFO     Processing',
      `${column}         request`,
      `${column}ERROR    no database`,
    ];
    assert.deepEqual(
      group(lines.join('\n')).map(({ level, message }) => [level, message.split('\n').length]),
      [
        ['info', 2],
        ['error', 1],
      ],
    );
  });

  it('belong to the traceback that quotes them, whatever they look like', () => {
    const lines = [
      'Traceback (most recent call last):',
      `${' '.repeat(20)}ERROR    no entry`,
      'ValueError: bad',
      `${' '.repeat(20)}ERROR    an entry`,
    ];
    assert.deepEqual(
      group(lines.join('\n')).map(({ message }) => message.split('\n').length),
      [3, 1],
    );
  });

  it('do not belong to a group if they come later', () => {
    assert.equal(group('start\n  indented', 1000).length, 2);
  });

  it('are shown after a short pause, even if the clock was set back meanwhile', () => {
    for (const [quietAt, shown] of [
      [1050, 0],
      [1200, 1],
      [-1e12, 1],
    ] as const) {
      let count = 0;
      const groups = new StderrEntries(() => count++);
      groups.add({ t: 1000, dir: 'err', line: 'a line' });
      groups.quiet(quietAt);
      assert.equal(count, shown);
    }
  });

  it('are dropped if they are empty', () => {
    assert.deepEqual(group('\n  \n\n'), []);
  });

  it('are split into several records if there are too many', () => {
    const records = group(`start\n${'  more\n'.repeat(1000)}`);
    assert.ok(records.length > 4);
    assert.equal(
      records.reduce((lines, { raw = '' }) => lines + raw.split('\n').length, 0),
      1001,
    );
  });
});
