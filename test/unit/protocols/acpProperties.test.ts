import assert from 'node:assert/strict';
import fc from 'fast-check';
import { levels } from '../../../src/text/level';
import type { LogRecord } from '../../../src/text/record';
import { RecordStore } from '../../../src/store/store';
import { AcpReader } from '../../../src/protocols/acp/acpReader';
import { acpExtensions } from '../../../src/agents/agents';
import { RunLog } from '../../../src/runLog/runLog';
import { journalLine } from '../../../src/wire/journal/journalLine';
import { readJournalLine } from '../../../src/wire/journal/journalReader';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { acpEvents } from '../../support/acpEvents';
import { describeRun } from '../../support/describeRun';
import { holds } from '../../support/property';
import { endWork } from '../../support/endWork';

const startedAt = Date.parse('2026-11-20T12:00:00Z');
const kinds = new Set<LogRecord['kind']>(['log', 'notice', 'stderr', 'activity', 'lifecycle', 'diagnosis', 'wire']);

/** Reads all events to the end of the process, with pauses in between. */
function read(events: readonly WireEvent[], quietBefore: (index: number) => boolean = () => true): RunLog {
  const log = new RunLog(new RecordStore(1e9), startedAt);
  const interpreter = new AcpReader({ sink: log, work: log.work }, acpExtensions);
  const last = events.at(-1)?.t ?? startedAt;
  [...events, { t: last, dir: 'ev', ev: 'exit', code: 1, signal: null } satisfies WireEvent].forEach((event, i) => {
    if (quietBefore(i)) interpreter.quiet(event.t);
    interpreter.accept(event);
    endWork(log.work, event);
  });
  assert.equal(interpreter.isWaiting, false);
  return log;
}

const described = (events: readonly WireEvent[]): string => describeRun(read(events), startedAt);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

describe('ACP interpreter: properties', () => {
  holds(
    'reads any events in any order, and leaves no request open',
    150,
    fc.property(acpEvents, (events) => {
      const log = read(events);
      assert.deepEqual(log.requests, []);
      const records = log.store.query();
      records.forEach((record, i) => {
        assert.equal(record.seq, i + 1);
        assert.ok(levels.includes(record.level) && kinds.has(record.kind), JSON.stringify(record));
        assert.equal(typeof record.message, 'string');
        assert.ok(Number.isFinite(record.receivedAt) && (record.time === undefined || Number.isFinite(record.time)));
      });
      for (const group of [log.connection, ...log.sessions]) {
        const its = records.filter(({ sessionId }) => sessionId === group.id);
        for (const level of levels) {
          assert.equal(group.counts[level], its.filter((record) => record.level === level).length);
        }
      }
    }),
  );

  holds(
    'makes no more of events than they are: in number and in length',
    60,
    fc.property(acpEvents, (events) => {
      const records = read(events).store.query();
      // One, or those of a batch.
      const messages = sum(events.map((event) => ('msg' in event && Array.isArray(event.msg) ? event.msg.length : 1)));
      // An event can complete a pending message, and the end closes every request.
      assert.ok(records.length <= 3 * messages + 2, `${records.length} records of ${messages} messages`);
      const chars = sum(events.map((event) => ('line' in event ? event.line.length : 100)));
      const shown = sum(records.map(({ message }) => message.length));
      assert.ok(shown <= 8 * chars + 300 * records.length, `${shown} characters of ${chars}`);
    }),
  );

  holds(
    'tells the same of a journal as it told live',
    120,
    fc.property(acpEvents, (events) => {
      const journal = events.map((event) => readJournalLine(journalLine(event, startedAt))!);
      assert.equal(described(journal), described(events));
    }),
  );

  holds(
    'tells the same of each session and of the connection, quiet or not',
    60,
    fc.property(acpEvents, fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }), (events, quiet) => {
      const told = (log: RunLog): unknown =>
        [undefined, ...log.sessions.map(({ id }) => id)].map((id) =>
          log.store.query({ sessionId: id ?? null }).map(({ seq: _, ...record }) => JSON.stringify(record)),
        );
      const sometimes = read(events, (i) => quiet[i % quiet.length] === true);
      assert.deepEqual(told(sometimes), told(read(events)));
    }),
  );

  holds(
    'does nothing that depends on anything but the events',
    30,
    fc.property(acpEvents, (events) => {
      const before = JSON.stringify(events);
      assert.equal(described(events), described(events));
      assert.equal(JSON.stringify(events), before);
    }),
  );
});
