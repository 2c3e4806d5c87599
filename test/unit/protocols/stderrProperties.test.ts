import assert from 'node:assert/strict';
import fc from 'fast-check';
import { levels } from '../../../src/text/level';
import type { RecordDraft } from '../../../src/text/record';
import { parseLogfmt, readStderrLine } from '../../../src/protocols/stderr/stderrLine';
import { StderrExcerpts } from '../../../src/protocols/stderr/stderrExcerpts';
import { StderrEntries } from '../../../src/protocols/stderr/stderrEntries';
import type { WireStderr } from '../../../src/wire/wireEvent';
import { column } from '../../support/columns';
import { holds } from '../../support/property';

const level = fc.constantFrom('TRACE', 'debug', 'INFO', 'Warn', 'WARNING', 'error', 'FATAL', 'loud', '');
const words = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll(/[\n\r]/g, ' '));
const stamp = fc.constantFrom(
  ...['2026-11-20T12:00:00Z', '2026-11-20 12:00:00,123', '2026/11/20 12:00:00', '[11/20/26 12:00:00]'],
  ...['12:00:00.123', '2026-99-99T99:99:99Z', ''],
);
const oddTime = fc.constantFrom<unknown>('1763640000', '1e400', 1e300, -1e300, null);
const time = fc.oneof(stamp, fc.integer(), fc.double(), oddTime);
const fields = {
  level: fc.oneof(level, fc.integer({ min: -1, max: 100 }), fc.jsonValue()),
  msg: fc.oneof(words, fc.jsonValue()),
  logger: fc.oneof(words, fc.jsonValue()),
  ...{ severity: level, message: words, time, ts: time, ['__proto__']: fc.jsonValue(), code: fc.jsonValue() },
};
const structured = fc.record(fields, { requiredKeys: [] });
/** Realistic and unrealistic lines. */
const line: fc.Arbitrary<string> = fc.oneof(
  words,
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\n', ' ')),
  structured.map((entry) => JSON.stringify(entry)),
  structured.map((entry) => JSON.stringify(entry).slice(0, -2)),
  fc.array(fc.tuple(fc.constantFrom('level', 'msg', 'time', 'a', '__proto__'), words)).map((pairs) => logfmt(pairs)),
  fc.tuple(stamp, level, words).map(([at, is, text]) => `${at} ${is} a::b: ${text}`),
  fc.tuple(stamp, level, words).map(([at, is, text]) => `${at} [main] ${is} a.b - ${text}`),
  fc.tuple(stamp, level, words).map(([at, is, text]) => `${at} - a.b - ${is} - ${text}`),
  fc.tuple(level, words).map(([is, text]) => `${is}:a.b:${text}`),
  fc.tuple(level, words).map(([is, text]) => `[${is}] ${text}`),
  fc.tuple(level, words).map(([is, text]) => `${is}: ${text}`),
  fc.constantFrom(
    ...['', '  ', '}', '\u001b[31mred\u001b[0m', 'Node.js v20.0.0', 'file:///x/agent.js:12'],
    ...['Require stack:', '- /x/a.js', '    at run (file:///x.js:1:2)', 'Error: boom', 'Error [ERR_X]: bad'],
    ...['Caused by: java.io.IOException', '\t... 3 more'],
    ...['Traceback (most recent call last):', '  File "a.py", line 1', 'ModuleNotFoundError: no'],
    'During handling of the above exception, another exception occurred:',
    ...['panic: no', 'goroutine 1 [running]:', 'main.main()', '\t/x/main.go:9 +0x16'],
    ...["thread 'main' (1) panicked at src/main.rs:2:5:", 'stack backtrace:'],
  ),
);

function logfmt(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${name}=${/[ "\\]/.test(value) ? JSON.stringify(value) : value}`).join(' ');
}

const value = fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replaceAll(/[\n\t]/g, ' '));
const field = fc.tuple(fc.stringMatching(/^[a-z@][\w.@/-]{0,10}$/), value);

/** How often a line is repeated: stack traces may be long. */
const times = fc.oneof({ weight: 60, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(450) });

const lines: fc.Arbitrary<readonly WireStderr[]> = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 0, 1, 100, 101, 5000, -3e10), line, times), { maxLength: 60, size: 'max' })
  .map((steps) => {
    let t = 1e12;
    return steps.flatMap(([ms, text, count]) => {
      t += ms;
      return Array.from({ length: count }, () => ({ t, dir: 'err' as const, line: text }));
    });
  });

function group(events: readonly WireStderr[], isQuiet = false): RecordDraft[] {
  const records: RecordDraft[] = [];
  const groups = new StderrEntries((_, record) => records.push(record));
  for (const event of events) {
    if (isQuiet) groups.quiet(event.t);
    groups.add(event);
  }
  groups.complete();
  assert.equal(groups.isWaiting, false);
  return records;
}

describe('standard error: properties', () => {
  holds(
    'a line is read whatever it is',
    600,
    fc.property(line, (text) => {
      const read = readStderrLine(text);
      assert.equal(typeof read.message, 'string');
      assert.ok(read.level === undefined || levels.includes(read.level));
      assert.ok(read.time === undefined || !Number.isNaN(new Date(read.time).getTime()));
      assert.ok(read.logger === undefined || typeof read.logger === 'string');
      // The text never grows: the message is part of the line.
      assert.ok(read.message.length <= text.length);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
      if (typeof read.data === 'object') assert.equal(Object.getPrototypeOf(read.data), Object.prototype);
    }),
  );

  holds(
    'logfmt gives back the fields that it was written for',
    300,
    fc.property(fc.array(field, { minLength: 1 }), (pairs) => {
      assert.deepEqual(new Map(Object.entries(parseLogfmt(logfmt(pairs)) ?? {})), new Map(pairs));
    }),
  );

  holds(
    'lines are all kept, in order, in records that are bounded',
    120,
    fc.property(lines, (events) => {
      const records = group(events);
      const shown = (all: readonly string[]) => all.map((text) => text.trimEnd()).filter((text) => text !== '');
      const kept = records.flatMap(({ raw = '' }) => raw.split('\n'));
      assert.deepEqual(shown(kept), shown(column(events, 'line')));
      for (const record of records) {
        assert.equal(record.kind, 'stderr');
        assert.ok(levels.includes(record.level));
        assert.ok((record.raw ?? '').split('\n').length <= 200);
        assert.ok(record.message.length <= (record.raw ?? '').length);
      }
    }),
  );

  holds(
    'lines are grouped in the same way wherever it was quiet for long enough',
    80,
    fc.property(lines, (events) => assert.deepEqual(group(events, true), group(events))),
  );

  holds(
    'the excerpts have the first and the last lines, and say how many there were',
    50,
    fc.property(fc.nat({ max: 400 }), (count) => {
      const texts = Array.from({ length: count }, (_, n) => `line ${n}`);
      const excerpts = new StderrExcerpts();
      for (const text of texts) excerpts.add(text);
      const { excerpt } = excerpts;
      if (texts.length === 0) return assert.equal(excerpt, undefined);
      assert.ok(excerpt);
      assert.equal(excerpt.totalLines, texts.length);
      assert.deepEqual(excerpt.head?.split('\n'), texts.slice(0, 50));
      assert.equal(excerpt.truncated, texts.length > 100);
      if (texts.length > 50) assert.deepEqual(excerpt.tail?.split('\n'), texts.slice(Math.max(50, texts.length - 50)));
    }),
  );
});
