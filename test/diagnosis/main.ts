// Prints, for each recording, the failures that a person sees in it and the diagnoses, and lists missing and wrong ones. Then runs the adversarial
// cases and prints recall, false alarms and words per finding. With the name of a recording, or with a file and its protocol, prints the diagnoses
// only.
import { existsSync } from 'node:fs';
import type { LogRecord } from '../../src/log/record';
import { shortId } from '../../src/log/sessionLabel';
import type { Protocol } from '../../src/log/protocol';
import type { CaseVerdict, DiagnosisCase } from './cases';
import { diagnosisCases, judge } from './cases';
import { diagnosesOf, eventsOf, expectedRecordings, verdictOf } from './recordings';

const [name, protocol = 'acp'] = process.argv.slice(2);
if (name === undefined) {
  printTable();
  printCases();
} else {
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

function printCases(): void {
  const verdicts = diagnosisCases().map((each) => ({ ...each, ...judge(each) }));
  const isRight = ({ missed, wrong }: (typeof verdicts)[number]): boolean => missed.length + wrong.length === 0;
  const rows = [...new Set(verdicts.map(({ group }) => group))].map((group) => {
    const own = verdicts.filter((verdict) => verdict.group === group);
    return [group, ...figures(own), `${own.filter(isRight).length} of ${own.length}`];
  });
  const head = ['Class', 'Expected', 'Missed', 'False alarms', 'Right'];
  console.log();
  const total = ['All', ...figures(verdicts), `${verdicts.filter(isRight).length} of ${verdicts.length}`];
  for (const row of [head, head.map(() => '-'), ...rows, total]) console.log(`| ${row.join(' | ')} |`);
  const expected = verdicts.flatMap(({ expect }) => expect.filter(({ optional }) => optional !== true)).length;
  const missed = verdicts.flatMap((verdict) => verdict.missed).length;
  const found = verdicts.flatMap((verdict) => verdict.found);
  const words = found.map(({ message }) => message.split(/\s+/).length).reduce((sum, count) => sum + count, 0);
  console.log(
    `\nRecall ${((100 * (expected - missed)) / expected).toFixed(1)} %, ` +
      `${verdicts.flatMap(({ wrong }) => wrong).length} false alarms, ${(words / found.length).toFixed(1)} words per finding.`,
  );
  for (const { case: title, group, missed: lost, wrong } of verdicts.filter((verdict) => !isRight(verdict))) {
    console.log(`\n${group}: ${title}`);
    for (const { code, level, about } of lost) console.log(`  missed: ${level} ${String(code)} /${about}/`);
    for (const { level, logger = '', message } of wrong) console.log(`  false: ${level} ${logger}: ${message}`);
  }
}

function figures(verdicts: readonly (CaseVerdict & Pick<DiagnosisCase, 'expect'>)[]): string[] {
  const count = (lists: readonly (readonly unknown[])[]): string => String(lists.flat().length);
  return [
    count(verdicts.map(({ expect }) => expect)),
    count(verdicts.map(({ missed }) => missed)),
    count(verdicts.map(({ wrong }) => wrong)),
  ];
}

function print(said: readonly LogRecord[]): void {
  for (const { receivedAt, level, logger = '', sessionId, message } of said) {
    const time = new Date(receivedAt).toISOString().slice(11, 23);
    console.log(
      `${time} ${level} [${sessionId === undefined ? 'connection' : shortId(sessionId)}] ${logger}: ${message}`,
    );
  }
}
