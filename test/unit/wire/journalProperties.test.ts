import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { journalLine } from '../../../src/wire/journal/journalLine';
import { readJournalLine } from '../../../src/wire/journal/journalReader';
import { plainEvent } from '../../support/plainEvent';
import { JournalWriter } from '../../../src/wire/journal/journalWriter';
import type { ConnectionEvent, WireEvent } from '../../../src/wire/wireEvent';
import { acpEvents } from '../../support/acpEvents';
import { holds } from '../../support/property';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\ufeff', '\u2028', '\ud800', '"', '\\', '\r', 'null', '{"t":"x"}', '\u0000'),
);
const times = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 4e12 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 8.64e15, -8.64e15, 253_402_300_800_000, -62_198_755_200_000) },
);
const madTimes = fc.constantFrom(NaN, Infinity, -Infinity, 1e300, 8.64e15 + 1, 0.5, -0);
const whole = fc.integer({ min: 1, max: 2 ** 40 });

/** Every kind of event, without its time. */
const untimed = fc.oneof(
  fc
    .record({ dir: fc.constantFrom('a2c', 'c2a' as const), line: json() })
    .map(({ dir, line }) => ({ dir, line, msg: JSON.parse(line.replace(/^\ufeff/, '')) as unknown })),
  fc.record({ dir: fc.constantFrom('a2c', 'c2a' as const), line: text.filter((line) => !isJson(line)) }),
  fc.record({ dir: fc.constantFrom('a2c', 'c2a' as const), line: text, bytes: whole }),
  fc.record({ dir: fc.constant('err' as const), line: text }),
  fc.record({ dir: fc.constant('err' as const), line: text, bytes: whole }),
  fc.record({ dir: ev(), ev: fc.constant('spawn' as const), pid: whole, command: fc.array(text), cwd: text }),
  fc.record({ dir: ev(), ev: fc.constant('start-failed' as const), message: text }),
  fc.record({ dir: ev(), ev: fc.constant('waiting' as const), method: text, ms: whole }),
  fc.record({ dir: ev(), ev: fc.constantFrom('stdin-close', 'stdout-close', 'left-behind' as const) }),
  fc.record({ dir: ev(), ev: fc.constant('left-behind' as const), remaining: fc.array(whole, { maxLength: 9 }) }),
  fc.record({ dir: ev(), ev: fc.constant('signal' as const), signal: text }),
  fc.record({ dir: ev(), ev: fc.constant('exit' as const), code: fc.option(fc.integer()), signal: fc.option(text) }),
  fc
    .constantFrom<ConnectionEvent[]>(
      { ev: 'connect', url: 'https://example.com/mcp' },
      { ev: 'http', method: 'GET', status: 405, message: '' },
      { ev: 'http', method: 'POST', message: 'refused', why: ['ECONNREFUSED'], requestId: 'a' },
      { ev: 'stream-close' },
      { ev: 'stream-close', message: 'm', cancels: 0 },
      { ev: 'reconnect', attempt: 2, ms: 1000 },
      { ev: 'disconnect' },
      { ev: 'disconnect', message: 'lost', why: ['lost', 'ECONNRESET'] },
    )
    .map((event) => ({ dir: 'ev' as const, ...event })),
);

function ev(): fc.Arbitrary<'ev'> {
  return fc.constant('ev');
}

/** JSON as it may cross: with extra white space, odd numbers, and a byte order mark before it. */
function json(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.jsonValue().map((value) => ` ${JSON.stringify(value, null, '\t').replaceAll('\n', '\r')} `),
    fc.constantFrom('1.0e2', '-0', '1e999', '{"__proto__":{"a":1}}', '{"a":1,"a":2}', '"\\u0000\\ud800"', '\ufeff{}'),
  );
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** The event as a journal has it: of a message the JSON value, not its white space. */
function kept(event: WireEvent | undefined): unknown {
  const isMessage = event !== undefined && 'msg' in event && event.msg !== undefined;
  return isMessage ? { t: event.t, dir: event.dir, msg: event.msg } : plainEvent(event);
}

describe('a line of a journal: properties', () => {
  holds(
    'is one line of JSON, and gives back the event that it was written for',
    600,
    fc.property(times, times, untimed, (t, startedAt, event) => {
      const line = journalLine({ t, ...event }, startedAt);
      assert.ok(!line.includes('\n'));
      assert.equal(isJson(line), true);
      assert.deepEqual(kept(readJournalLine(line)), kept({ t, ...event }));
    }),
  );

  holds(
    'has the event also when the clock has gone mad',
    200,
    fc.property(madTimes, fc.oneof(times, madTimes), untimed, (t, startedAt, event) => {
      const line = journalLine({ t, ...event }, startedAt);
      assert.equal(isJson(line), true);
      const read = readJournalLine(line);
      assert.ok(read && Number.isFinite(read.t));
      assert.deepEqual({ ...(kept(read) as object), t: 0 }, { ...(kept({ t, ...event }) as object), t: 0 });
    }),
  );

  holds(
    'has the message byte for byte',
    200,
    fc.property(json(), (line) => {
      const event: WireEvent = { t: 1, dir: 'a2c', line, msg: JSON.parse(line.replace(/^\ufeff/, '')) as unknown };
      assert.ok(journalLine(event, 0).endsWith(`"msg":${line.replace(/^\ufeff/, '')}}`));
    }),
  );

  holds(
    'is read past wherever it was torn, and the lines before it are read',
    100,
    fc.property(
      acpEvents.filter((events) => events.length > 0),
      fc.nat(),
      (events, at) => {
        const lines = events.map((event) => journalLine(event, 0));
        const bytes = Buffer.from(lines.join('\n'));
        const torn = bytes.toString('utf8', 0, at % bytes.length).split('\n');
        torn.slice(0, -1).forEach((line, i) => assert.deepEqual(kept(readJournalLine(line)), kept(events[i])));
        const half = torn.at(-1)!;
        // Nothing that has lost its end is taken for an event, least of all for a shorter one.
        assert.equal(readJournalLine(half) !== undefined, half === lines[torn.length - 1]);
      },
    ),
  );

  holds(
    'is nothing or an event, whatever somebody else wrote there',
    400,
    fc.property(
      fc.oneof(
        text,
        fc.jsonValue().map((value) => JSON.stringify(value)),
        fc
          .record(
            {
              t: fc.oneof(fc.constantFrom<unknown>('2026-11-20T12:00:00Z', 'x', 5), fc.jsonValue()),
              ms: fc.jsonValue(),
              dir: fc.oneof(fc.constantFrom<unknown>('a2c', 'c2a', 'err', 'ev'), fc.jsonValue()),
              ev: fc.oneof(fc.constantFrom<unknown>('spawn', 'exit', 'signal', 'SIGTERM', 'waiting'), fc.jsonValue()),
              line: fc.oneof(text, fc.jsonValue()),
              msg: fc.jsonValue(),
              bytes: fc.jsonValue(),
              command: fc.jsonValue(),
              code: fc.jsonValue(),
              pid: fc.jsonValue(),
            },
            { requiredKeys: [] },
          )
          .map((entry) => JSON.stringify(entry)),
      ),
      (line) => {
        const event = readJournalLine(line);
        if (!event) return;
        assert.ok(Number.isFinite(event.t) && ['a2c', 'c2a', 'err', 'ev'].includes(event.dir));
        // What was read can be written, and read again.
        assert.deepEqual(kept(readJournalLine(journalLine(event, 0))), kept(event));
      },
    ),
  );
});

describe('a journal: properties', () => {
  holds(
    'has every event in order, however small its files are and whenever it is flushed',
    15,
    fc.asyncProperty(
      acpEvents,
      fc.integer({ min: 1, max: 3000 }),
      fc.nat({ max: 5 }),
      async (events, maxFileSize, each) => {
        const folder = mkdtempSync(join(tmpdir(), 'agent-logs-'));
        const journal = new JournalWriter({
          fileOf: (part) => join(folder, `${String(part).padStart(4, '0')}.ndjson`),
          header: { journal: 1, agent: 'A', protocol: 'acp', command: [], cwd: '/', startedAt: '' },
          startedAt: 0,
          maxFileSize,
          onProblem: (error) => assert.fail(error),
        });
        for (const [i, event] of events.entries()) {
          journal.write(event);
          if (i % (each + 1) === 0) await journal.flush();
        }
        await journal.close();
        const names = readdirSync(folder).sort();
        const files = names.map((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
        rmSync(folder, { recursive: true });
        files.forEach(([first = ''], i) => assert.equal((JSON.parse(first) as { part: number }).part, i + 1));
        const read = files.flat().flatMap((line) => readJournalLine(line) ?? []);
        assert.deepEqual(read.map(kept), events.map(kept));
      },
    ),
  );
});
