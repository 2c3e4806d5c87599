import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Line } from '../../../../src/text/bytes/line';
import { RecordStore } from '../../../../src/store/store';
import { RunLogSink } from '../../../../src/past/files/runLogSink';
import { LogReader } from '../../../../src/runLog/reading/logReader';
import { RunLog } from '../../../../src/runLog/runLog';
import { LineReader } from '../../../../src/wire/lines/lineReader';
import { describeRun } from '../../../support/describeRun';
import { greeting, logOf } from '../../../support/logLines';
import { holds } from '../../../support/property';

const at = Date.parse('2026-11-20T12:00:00Z');

/** Lines of a journal, each so many milliseconds after the one before. */
function journalOf(asked: string | undefined, messages: readonly (readonly [ms: number, json: string])[]): string {
  let ms = 0;
  const line = (dir: string, json: string): string =>
    `{"t":"${new Date(at + ms).toISOString()}","ms":${ms},"dir":"${dir}","msg":${json}}\n`;
  const header = { journal: 1, agent: 'A', protocol: 'acp', command: [], cwd: '/', startedAt: 'now' };
  return [
    `${JSON.stringify(header)}\n`,
    ...greeting(asked, 'acp').map(([dir, msg]) => line(dir, JSON.stringify(msg))),
    ...messages.map(([pause, json]) => {
      ms += pause;
      return line('a2c', json);
    }),
    `{"t":"${new Date(at + ms).toISOString()}","ms":${ms},"dir":"ev","ev":"exit","code":0,"signal":null}\n`,
  ].join('');
}

/** Some lines of a flood, in a few sessions, with pauses that end a series. */
const flood = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 20, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.constantFrom(50_000, 61_000) }),
      fc.constantFrom('debug', 'info', 'notice', 'warning', 'error'),
      fc.constantFrom(undefined, 's1', 's2', 's3'),
    ),
    { minLength: 5, maxLength: 40 },
  )
  .chain((lines) => fc.nat(5).map((times) => Array.from({ length: times + 1 }, () => lines).flat()))
  .map((lines) =>
    lines.map(([ms, level, sessionId]): readonly [number, string] => [
      ms,
      logOf({ level, sessionId, message: `at ${ms}` }),
    ]),
  );

/** The log of a journal whose lines have their bytes, or only their text. */
function logOfJournal(journal: string, takes: boolean): RunLog {
  const log = new RunLog(new RecordStore(1e7), at);
  const reader = new LogReader(new RunLogSink(log, at), { redactor: undefined });
  const lines = new LineReader(1e6);
  lines.push(Buffer.from(journal));
  for (let next = lines.next(); next; next = lines.next()) reader.line(takes ? next : Line.of(next.text), at);
  reader.complete();
  return log;
}

describe('findings in log messages', () => {
  holds(
    'are the same if the messages are read from their bytes, whatever the client asked for',
    60,
    fc.property(fc.constantFrom(undefined, 'info', 'warning', 'emergency'), flood, (asked, lines) => {
      const [quick, parsed] = [true, false].map((takes) => {
        const log = logOfJournal(journalOf(asked, lines), takes);
        const diagnoses = log.store.query().filter(({ kind }) => kind === 'diagnosis');
        return {
          described: describeRun(log, at),
          diagnoses: diagnoses.map((record) => ({ ...record, raw: log.store.raw(record.seq) })),
          summaries: [log.connection, ...log.sessions].map(({ summary }) => summary),
        };
      });
      assert.deepEqual(quick, parsed);
    }),
  );
});
