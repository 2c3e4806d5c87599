import assert from 'node:assert/strict';
import type { RecordDraft } from '../../../src/text/record';
import { StderrEntries } from '../../../src/protocols/stderr/stderrEntries';

function group(text: string): RecordDraft[] {
  const records: RecordDraft[] = [];
  const groups = new StderrEntries((_, record) => records.push(record));
  for (const line of text.split('\n')) groups.add({ t: 0, dir: 'err', line });
  groups.complete();
  return records;
}

describe('stack traces on stderr', () => {
  it('form one error record', () => {
    const traceback = (name: string) => `Traceback (most recent call last):\n  File "a.py", line 1\n${name}: no`;
    const during = 'During handling of the above exception, another exception occurred:';
    const cause = 'The above exception was the direct cause of the following exception:';
    const go =
      'goroutine 1 [running]:\nmain.(*T).run(0xc0, {0x1, 0x2})\n\t/x/main.go:9 +0x16\nmain.main()\n\t/x/main.go:3 +0x1';
    const backtrace =
      'stack backtrace:\n   0: a::main\n             at ./src/main.rs:2:5\nnote: Some details are omitted, run with';
    const traces = [
      `${traceback('KeyError')}\n\n${during}\n\n${traceback('ValueError')}\n\n${cause}\n\n${traceback('OSError')}`,
      `panic: no\n\n${go}\ncreated by main.start in goroutine 7\n\t/x/main.go:5 +0x2`,
      `panic: runtime error: nil\n[signal SIGSEGV: segmentation violation]\n\n${go}\n\n${go}`,
      `fatal error: all goroutines are asleep - deadlock!\n\n${go}`,
      "thread 'main' panicked at src/main.rs:2:5:\nit is out of bounds\nnote: run with `RUST_BACKTRACE=1` environment",
      `thread 'main' (12345) panicked at src/main.rs:2:5:\nit is out of bounds\n${backtrace}`,
      "thread 'main' panicked at 'no', src/main.rs:2:5\nnote: run with `RUST_BACKTRACE=1` environment",
      "node:internal/modules/cjs/loader:1228\n  throw err;\n\nError: Cannot find module 'x'\nRequire stack:\n- /x/a.js\n- /x/b.js\n    at x {\n  code: 'X'\n}\n\nNode.js v22.14.0",
    ];
    for (const trace of traces) {
      const records = group(`before\n${trace}\nafter`);
      assert.deepEqual(
        records.map(({ level, raw }) => [level, raw]),
        [
          ['info', 'before'],
          ['error', trace],
          ['info', 'after'],
        ],
      );
    }
  });

  it('form one record if written by real programs', () => {
    const frames = '    at main (/x/a.js:1:31)\n    at node:internal/main/run_main_module:28:49';
    const end = '\n\nNode.js v20.20.2';
    const exceptionGroup = [
      '  + Exception Group Traceback (most recent call last):',
      '  |   File "/x/a.py", line 1, in <module>',
      '  |     raise ExceptionGroup("eg", [ValueError("a"), TypeError("b\\nc"), OSError(2, "No such file")])',
      '  | ExceptionGroup: eg (3 sub-exceptions)',
      '  +-+---------------- 1 ----------------',
      '    | ValueError: a',
      '    +---------------- 2 ----------------',
      '    | TypeError: b',
      'c',
      '    +---------------- 3 ----------------',
      '    | FileNotFoundError: [Errno 2] No such file',
      '    +------------------------------------',
    ].join('\n');
    const settings = [
      'Traceback (most recent call last):',
      '  File "/x/a.py", line 3, in <module>',
      'ValidationError: 2 validation errors for Settings',
      'api_key',
      '  Field required [type=missing, input_value={}, input_type=dict]',
      '    For further information visit https://errors.pydantic.dev/2.9/v/missing',
      'server.port',
      '  Field required [type=missing, input_value={}, input_type=dict]',
    ].join('\n');
    const assertion = [
      'node:assert:90',
      '  throw new AssertionError(obj);',
      '  ^',
      '',
      'AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:',
      '+ actual - expected',
      '',
      '  {',
      '+     2',
      '-     3',
      '  }',
      `${frames} {`,
      '  generatedMessage: true',
      '}',
    ].join('\n');
    const spawned = [
      'node:events:502',
      "      throw er; // Unhandled 'error' event",
      '      ^',
      '',
      'Error: spawn nosuchprogram ENOENT',
      '    at ChildProcess._handle.onexit (node:internal/child_process:285:19)',
      "Emitted 'error' event on ChildProcess instance at:",
      '    at ChildProcess._handle.onexit (node:internal/child_process:291:12)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:82:21) {',
      '  errno: -2,',
      '}',
    ].join('\n');
    const worker = [
      'node:internal/event_target:1105',
      '  process.nextTick(() => { throw err; });',
      '                           ^',
      '[worker eval]:1',
      'throw new Error("in worker")',
      '^',
      '',
      'Error: in worker',
      '    at [worker eval]:1:7',
    ].join('\n');
    const traces = [
      exceptionGroup,
      `${exceptionGroup}\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "a.py", line 2\nValueError: no`,
      settings,
      '  File "/x/a.py", line 1\n    def broken(:\n               ^\nSyntaxError: invalid syntax',
      'Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007fb807e7cb80 (most recent call first):\n  File "/x/a.py", line 3 in <module>',
      "Fatal Python error: init_fs_encoding: failed to get the Python codec\nPython runtime state: core initialized\nModuleNotFoundError: No module named 'encodings'\n\nCurrent thread 0x0000 (most recent call first):\n  <no Python frame>",
      `/x/n10.js:2\nthrow new MyError('my');\n^\n\nCustomThing: my\n${frames} {\n  details: { a: 1 }\n}${end}`,
      `file:///x/n10.mjs:2\nthrow new MyError('my');\n      ^\n\nCustomThing: my\n    at file:///x/n10.mjs:2:7${end}`,
      `C:\\x\\n6.js:1\nconst x = ;\n          ^\n\nSyntaxError: Unexpected token ';'\n${frames}${end}`,
      `[eval]:1\nthrow new Error("x")\n^\n\nError: x\n    at [eval]:1:7${end}`,
      `/x/n1.js:1\nthrow new Error('boom\\nsecond line\\n\\nafter blank');\n^\n\nError: boom\nsecond line\n\nafter blank\n${frames}${end}`,
      `/x/n4.js:1\nthrow 'a string';\n^\na string\n(Use \`node --trace-uncaught ...\` to show where the exception was thrown)${end}`,
      `/x/n5.js:1\nthrow { code: 1 };\n^\n{ code: 1 }${end}`,
      `/x/n17.js:1\nconst e=new Error('boom'); throw e;\n                           ^\n\n[Error: boom without stack]${end}`,
      `node:internal/process/promises:389\n      new UnhandledPromiseRejection(reason);\n      ^\n\nUnhandledPromiseRejection: This error originated by rejecting a promise with the reason "just text".\n    at throwUnhandledRejectionsMode (node:internal/process/promises:389:7) {\n  code: 'ERR_UNHANDLED_REJECTION'\n}${end}`,
      assertion + end,
      spawned + end,
      worker + end,
      "thread 'main' (15841) panicked at r.rs:8:16:\nfirst\nsecond\nstack backtrace:\n   0: std::panicking::begin_panic::<&str>\n             at /rustc/5980/library/std/src/panicking.rs:761:5\n   1: r::main\nnote: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.",
      "thread 'main' (15839) has overflowed its stack\nfatal runtime error: stack overflow, aborting",
      'Error: failed to load config\n\nCaused by:\n    0: could not read /etc/x\n    1: No such file or directory (os error 2)\n\nStack backtrace:\n   0: anyhow::error::<impl>::from\n             at /x/y.rs:1:1',
      '2026/11/20 12:00:00 http: panic serving 127.0.0.1:1234: boom\ngoroutine 34 [running]:\nnet/http.(*conn).serve.func1()\n\t/usr/go/src/net/http/server.go:1 +0x1\npanic({0x1, 0x2})\n\t/usr/go/src/runtime/panic.go:1 +0x2',
      'Exception in thread "main" java.lang.IllegalStateException: bad\n\tat J.main(J.java:1)',
      'Unhandled exception. System.InvalidOperationException: boom\n   at Program.<Main>$(String[] args) in /x/Program.cs:line 3',
      'npm error code E404\nnpm error 404 Not Found - GET https://registry.example.com/x\nnpm error A complete log of this run can be found in: /x.log',
    ];
    for (const trace of traces) {
      assert.deepEqual(
        group(`before\n${trace}\nafter it`).map(({ level, raw }) => [level, raw]),
        [
          ['info', 'before'],
          ['error', trace],
          ['info', 'after it'],
        ],
      );
    }
  });

  it('belong to the error entry above them', () => {
    const traceback =
      'Traceback (most recent call last):\n  File "/x/a.py", line 5, in <module>\nZeroDivisionError: division by zero';
    assert.deepEqual(
      group(`ERROR:srv:failed to do\n${traceback}\nINFO:srv:next`).map(({ level, logger, message }) => [
        level,
        logger,
        message.split('\n').length,
      ]),
      [
        ['error', 'srv', 4],
        ['info', 'srv', 1],
      ],
    );
    assert.deepEqual(
      group(`INFO:srv:start\n${traceback}`).map(({ level }) => level),
      ['info', 'error'],
    );
  });

  it('are not confused with lines that look similar', () => {
    const texts = [
      'listening on http://localhost:3000\nready',
      '/x/a.js:3\nERROR: no',
      'Error: x\n\nTypeError: y',
      'done\n\nCaused by hand',
      'npm warn deprecated x\nnpm error code E404',
      'panic: no\n\nlistening (again)',
      'panic: no\nmain(again)',
      'fatal error: a.h: No such file\ncompilation terminated.',
      "thread 'main' panicked at 'no', src/main.rs:2:5\nlistening",
      "thread 'main' is idle:\nlistening",
      'a list:\n- one',
      'it is slow\nDuring handling of the above exception, nothing occurred',
      'ready\ngoroutine 1 [running]:',
    ];
    for (const text of texts) {
      const lines = text.split('\n').filter((line) => line !== '');
      assert.deepEqual(
        group(text).map(({ raw }) => raw),
        lines,
      );
    }
    assert.equal(group('fatal error: a.h: No such file')[0]?.level, 'info');
  });

  it('are grouped in linear time', () => {
    for (const start of [
      'panic: no',
      'goroutine 1 [running]:',
      "thread 'a' panicked at b:1:2:",
      'Traceback (most recent call last):',
      '  + Exception Group Traceback (most recent call last):',
      'node:events:502',
      '/',
      'a.js',
    ]) {
      for (const unit of ['(', ' (', 'a(b) ', '[', ':1', "' ", 'goroutine 1 ', "thread '", '.js', '^', '1', '+-']) {
        const long = unit.repeat(200_000);
        group([start, long, '\tat', `f${long}`, start + long, `goroutine 1 ${long}`].join('\n'));
      }
    }
  });
});
