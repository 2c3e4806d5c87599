import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RecordDraft } from '../../../src/text/record';
import { saidIn } from '../../../src/protocols/stderr/saidLines';
import { parseLogfmt, readStderrLine } from '../../../src/protocols/stderr/stderrLine';
import { StderrEntries } from '../../../src/protocols/stderr/stderrEntries';
import { column } from '../../support/columns';
import { assertGolden } from '../../support/golden';
import { headedTexts } from '../../support/headedTexts';

const fixtures = 'test/fixtures/stderr';

/** The records of lines that arrive `ms` milliseconds apart. */
function group(text: string, ms = 0): RecordDraft[] {
  const records: RecordDraft[] = [];
  const groups = new StderrEntries((_, record) => records.push(record));
  text.split('\n').forEach((line, i) => groups.add({ t: i * ms, dir: 'err', line }));
  groups.complete();
  return records;
}

/** The level of each record, and how many lines it has. */
function shapeOf(text: string): string[] {
  return group(text).map(({ level, message }) => `${level} ${message.split('\n').length}`);
}

/** Calls with long texts of any start and unit: a square of their length would take minutes. */
function isLinear(starts: string[], units: string[], read: (start: string, long: string) => void): void {
  for (const start of starts) for (const unit of units) read(start, unit.repeat(200_000));
}

describe('a line of standard error', () => {
  it('has the level, time, logger and data that its program wrote', () => {
    const lines = readFileSync(`${fixtures}/lines.txt`, 'utf8').trimEnd().split('\n');
    const told = lines.map((line) => {
      const { time, ...read } = readStderrLine(line);
      return `${line}\n    ${JSON.stringify({ ...(time !== undefined && { time: new Date(time) }), ...read })}\n`;
    });
    assertGolden('test/golden/stderr/lines.txt', told.join(''));
  });

  it('is parsed in linear time', () => {
    const starts = ['', '12:00:00 ', '2026-11-20 12:00:00 ERROR ', '12:00:00 [main] ERROR ', 'ERROR:a'];
    const more = ['[12:00:00 ERROR ', '2026-11-20 12:00:00 [warning ', "thread '", "thread 'a' (", '3:04PM '];
    const others = ['npm ', 'ERRO[', 'Exception in thread "', 'Unhandled exception. '];
    const units = ["' ", '" ', '1', '[', 'a=', 'Error', '2026-', 'level="', '{"level":', 'x.', ' ', ' - ', '. ', 'a.-'];
    isLinear([...starts, ...more, ...others], [...units, '[main] '], (start, long) => readStderrLine(start + long));
  });

  it('reads logfmt without prototype pollution', () => {
    const fields = Object.entries(parseLogfmt('__proto__=1 a="b c" d=') ?? {});
    assert.deepEqual(fields.flat(), ['__proto__', '1', 'a', 'b c', 'd', '']);
    assert.equal(parseLogfmt('no logfmt'), undefined);
    assert.deepEqual(parseLogfmt('a="open'), { a: 'open' });
  });
});

describe('lines of standard error', () => {
  it('form one record if they are a dump of util.inspect', () => {
    const dump = 'Error handling request {\n  id: 2,\n  params: { a: 1 }\n} {\n  code: -32601\n}\nnext';
    assert.deepEqual(shapeOf(dump), ['info 6', 'info 1']);
    assert.equal(group(dump)[0]?.raw?.split('\n').length, 6);
  });

  it("are separate records if their level is in the column of the previous line's", () => {
    const column = ' '.repeat(20);
    const text = `[11/20/26 12:00:00] INFO     Processing\n${column}         request\n${column}ERROR    no database`;
    assert.deepEqual(shapeOf(text), ['info 2', 'error 1']);
  });

  it('belong to the traceback that quotes them, whatever they look like', () => {
    const entry = `${' '.repeat(20)}ERROR    an entry`;
    const text = `Traceback (most recent call last):\n${entry}\nValueError: bad\n${entry}`;
    assert.deepEqual(shapeOf(text), ['error 3', 'error 1']);
  });

  it('do not belong to a group if they come later', () => {
    assert.equal(group('start\n  indented', 1000).length, 2);
  });

  it('are shown after a short pause, even if the clock was set back meanwhile', () => {
    for (const quietAt of [1050, 1200, -1e12]) {
      let count = 0;
      const groups = new StderrEntries(() => count++);
      groups.add({ t: 1000, dir: 'err', line: 'a line' });
      groups.quiet(quietAt);
      assert.equal(count, quietAt === 1050 ? 0 : 1);
    }
  });

  it('are dropped if they are empty', () => {
    assert.deepEqual(group('\n  \n\n'), []);
  });

  it('are split into several records if there are too many', () => {
    const records = group(`start\n${'  more\n'.repeat(1000)}`);
    assert.ok(records.length > 4);
    assert.equal(records.flatMap(({ raw = '' }) => raw.split('\n')).length, 1001);
  });

  it('form one error record if they are what a real program writes of an exception', () => {
    for (const [, trace] of headedTexts(`${fixtures}/traces.txt`)) {
      const told = group(`before\n${trace}\nafter it`).map(({ level, raw }) => `${level} ${raw}`);
      assert.deepEqual(told, ['info before', `error ${trace}`, 'info after it']);
    }
  });

  it('belong to the error entry above them', () => {
    const traceback =
      'Traceback (most recent call last):\n  File "/x/a.py", line 5, in <module>\nZeroDivisionError: no';
    const entry = `ERROR:srv:failed to do\n${traceback}\nINFO:srv:next`;
    assert.deepEqual(shapeOf(entry), ['error 4', 'info 1']);
    assert.deepEqual(column(group(entry), 'logger'), ['srv', 'srv']);
    assert.deepEqual(shapeOf(`INFO:srv:start\n${traceback}`), ['info 1', 'error 3']);
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
    for (const text of texts) assert.deepEqual(column(group(text), 'raw'), text.split(/\n+/));
    assert.equal(group('fatal error: a.h: No such file')[0]?.level, 'info');
  });

  it('are grouped in linear time', () => {
    const starts = ['panic: no', 'goroutine 1 [running]:', "thread 'a' panicked at b:1:2:", 'node:events:502'];
    const python = ['Traceback (most recent call last):', '  + Exception Group Traceback (most recent call last):'];
    const units = ['(', ' (', 'a(b) ', '[', ':1', "' ", 'goroutine 1 ', "thread '", '.js', '^', '1', '+-'];
    isLinear([...starts, ...python, '/', 'a.js'], units, (start, long) => {
      group([start, long, '\tat', `f${long}`, start + long, `goroutine 1 ${long}`].join('\n'));
    });
  });
});

describe('what the lines of an entry on stderr say', () => {
  it('is without stacks, fields, frames and what npm adds', () => {
    const told = headedTexts(`${fixtures}/said.txt`).map(
      ([name, text]) => `=== ${name}\n${saidIn(text.split('\n')).lines.join('\n')}\n`,
    );
    assertGolden('test/golden/stderr/said.txt', told.join(''));
  });

  it('is found in linear time', () => {
    const starts = ['', 'npm error ', 'panic: ', "thread 'a' panicked at ", 'goroutine 1 '];
    isLinear(starts, ['a/', ' ', '/_log', ':1', "'", '[', '('], (start, long) => {
      const line = start + long;
      saidIn(['goroutine 1 [running]:', line, 'stack backtrace:', line, 'Require stack:', line]);
    });
  });
});
