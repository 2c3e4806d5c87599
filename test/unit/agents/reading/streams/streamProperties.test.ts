import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { holds } from '../../../../support/property';
import { streamed } from '../../../../support/streamWire';

const streams = 'test/fixtures/streams';
const text = readdirSync(streams)
  .filter((name) => name.endsWith('.ndjson'))
  .map((name) => readFileSync(join(streams, name), 'utf8'))
  .join('');
const events = text
  .trimEnd()
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A recorded event with some values replaced by arbitrary ones. */
function damaged(value: unknown): fc.Arbitrary<unknown> {
  const junk = fc.oneof(fc.jsonValue(), fc.constant('x'.repeat(20_000)), fc.constant('__proto__'));
  if (typeof value !== 'object' || value === null) return fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, junk);
  const entries = Object.entries(value).map(([name, each]) =>
    fc.oneof({ weight: 8, arbitrary: damaged(each) }, junk).map((item): [string, unknown] => [name, item]),
  );
  return fc
    .tuple(...entries)
    .map((pairs): unknown => (Array.isArray(value) ? pairs.map(([, each]) => each) : Object.fromEntries(pairs)));
}

describe('stream-json interpreter: properties', () => {
  const event = fc.oneof({ weight: 10, arbitrary: fc.constantFrom(...events).chain(damaged) }, fc.jsonValue());
  holds(
    'reads any events in any order without throwing, and bounds every record',
    100,
    fc.property(fc.array(fc.tuple(event, fc.boolean()), { maxLength: 20 }), (messages) => {
      const run = streamed();
      for (const [msg, isInput] of messages) run.send(msg, isInput ? 'c2a' : 'a2c');
      run.exit();
      assert.equal(run.isWaiting, false);
      assert.deepEqual(run.log.requests, []);
      for (const { message, logger = '', data, sessionId = '', time = 0 } of run.records) {
        assert.ok(message.length <= 4400, `a message of ${message.length}`);
        assert.ok(logger.length <= 101, `a logger of ${logger.length}`);
        assert.ok(sessionId.length <= 256);
        assert.ok(data === undefined || JSON.stringify(data).length <= 10_000);
        assert.ok(Number.isFinite(new Date(time).getTime()));
      }
    }),
  );

  holds(
    'keeps every line of text',
    100,
    fc.property(fc.array(fc.string({ maxLength: 50 })), (lines) => {
      const run = streamed();
      const told = lines.filter((line) => line.trim() !== '');
      for (const line of told) run.accept({ t: 0, dir: 'a2c', line });
      assert.deepEqual(
        run.records.map(({ seq }) => run.log.store.raw(seq)),
        told,
      );
    }),
  );

  const whole = streamed()
    .bytes(text, text.length * 4)
    .exit();
  holds(
    'reads the same however the bytes are split',
    8,
    fc.property(fc.integer({ min: 1, max: 5000 }), (size) => {
      assert.deepEqual(streamed().bytes(text, size).exit().records, whole.records);
    }),
  );
});
