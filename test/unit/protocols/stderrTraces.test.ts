import assert from 'node:assert/strict';
import type { RecordDraft } from '../../../src/log/record';
import { StderrGroups } from '../../../src/protocols/stderr/stderrGroups';

function group(text: string): RecordDraft[] {
  const records: RecordDraft[] = [];
  const groups = new StderrGroups((record) => records.push(record));
  for (const line of text.split('\n')) groups.add({ t: 0, dir: 'err', line });
  groups.complete();
  return records;
}

describe('stack traces on standard error', () => {
  it('are one record, at level error', () => {
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

  it('are not what only looks like their parts', () => {
    const texts = [
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
    ]) {
      for (const unit of ['(', ' (', 'a(b) ', '[', ':1', "' ", 'goroutine 1 ', "thread '"]) {
        const long = unit.repeat(200_000);
        group([start, long, '\tat', `f${long}`, start + long, `goroutine 1 ${long}`].join('\n'));
      }
    }
  });
});
