// Prints, for each recording, what goes wrong in it (as a person reads it), what is said of that, what is missed, and what is said wrongly.
// With the name of a recording, or of a file and its protocol, prints what is said of it.
import { existsSync } from 'node:fs';
import type { LogRecord } from '../../src/log/record';
import { shortId } from '../../src/log/sessionLabel';
import type { Protocol } from '../../src/log/protocol';
import { diagnosesOf, eventsOf, expectedRecordings, verdictOf } from './recordings';

const [name, protocol = 'acp'] = process.argv.slice(2);
if (name === undefined) printTable();
else {
  print(
    existsSync(name) ? diagnosesOf(eventsOf(name, protocol as Protocol), protocol as Protocol) : verdictOf(name).said,
  );
}

function printTable(): void {
  const rows = expectedRecordings()
    .map(verdictOf)
    .map(({ recording, expected, missed, said, wrong }) => [
      recording,
      expected.map(({ code, level }) => `${code} (${level})`).join(', ') || 'none',
      `${expected.length - missed.length} of ${expected.length}, in ${said.length} records`,
      missed.map(({ code }) => code).join(', ') || '–',
      wrong.map(({ logger = '' }) => logger).join(', ') || '–',
    ]);
  const table = [['Recording', 'Real failures in it', 'Said', 'Missed', 'False'], ['-', '-', '-', '-', '-'], ...rows];
  for (const row of table) console.log(`| ${row.join(' | ')} |`);
}

function print(said: readonly LogRecord[]): void {
  for (const { receivedAt, level, logger = '', sessionId, message } of said) {
    const time = new Date(receivedAt).toISOString().slice(11, 23);
    console.log(
      `${time} ${level} [${sessionId === undefined ? 'connection' : shortId(sessionId)}] ${logger}: ${message}`,
    );
  }
}
