import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatEntry, localTime, methodOf } from '../../../src/text/format';
import type { Level } from '../../../src/text/level';
import { levels } from '../../../src/text/level';
import type { LogRecord } from '../../../src/text/record';
import { holds } from '../../support/property';

/** What VS Code's Output view takes for the beginning of an entry. */
const entryStart = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}\s\[(info|trace|debug|error|warning)\]/;

const receivedAt = Date.parse('2026-11-20T12:00:00Z');

function record(fields: Partial<LogRecord>): LogRecord {
  return { seq: 1, receivedAt, level: 'info', kind: 'log', message: 'hello', ...fields };
}

describe('an entry of the output channel', () => {
  it('has the category, the logger, the message and the data', () => {
    const entry = formatEntry(record({ logger: 'tools', data: { a: 1 } }), 'My session');
    assert.equal(entry, '[My session] tools: hello {"a":1}');
  });

  it('names the levels that share a method', () => {
    const written = levels.map((level: Level) => `${methodOf(level)} ${formatEntry(record({ level }), 's')}`);
    assert.deepEqual(written, [
      'debug [s] hello',
      'info [s] hello',
      'info [s] NOTICE hello',
      'warn [s] hello',
      'error [s] hello',
      'error [s] CRITICAL hello',
      'error [s] ALERT hello',
      'error [s] EMERGENCY hello',
    ]);
    assert.equal(formatEntry(record({ level: 'debug' }), 's', 'info'), '[s] DEBUG hello');
  });

  it("adds the agent's own time where it differs from the arrival by more than a second", () => {
    const of = (time: number): string => formatEntry(record({ time }), 's');
    assert.equal(of(receivedAt - 1000), '[s] hello');
    assert.equal(of(receivedAt - 1001), `[s] hello (at ${localTime(receivedAt - 1001)})`);
    assert.equal(of(Number.MAX_VALUE), '[s] hello');
  });

  it('cannot be forged by a message', () => {
    const forged = '\n2026-01-01 00:00:00.000 [error] [x] forged';
    const entry = formatEntry(record({ message: `real${forged}\r${forged}\u2028${forged.slice(1)}` }), 's');
    assert.equal(entry.split('\n')[0], '[s] real');
    for (const line of entry.split('\n').slice(1)) assert.match(line, /^ {4}/);
  });

  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\n2026-01-01 00:00:00.000 [error] [x] forged'));
  holds(
    'begins with its category and no other line begins an entry, whatever the text',
    200,
    fc.property(text, text, text, (message, logger, category) => {
      const entry = formatEntry(record({ message, logger, data: { message } }), category);
      const lines = entry.split(/[\n\r\u2028\u2029\u0085]/);
      assert.match(lines[0] ?? '', /^\[[^[\]]*\]/);
      for (const line of lines.slice(1)) assert.doesNotMatch(line, entryStart);
    }),
  );
});
