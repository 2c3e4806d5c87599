// Diagnoses short adversarial recordings, and prints recall, false alarms and words per finding.
import assert from 'node:assert/strict';
import { printTable } from '../support/printTable';
import type { CaseVerdict, DiagnosisCase } from './cases';
import { diagnosisCases, judge } from './cases';

type Judged = DiagnosisCase & CaseVerdict;

describe('diagnosis: adversarial recordings', () => {
  const cases = diagnosisCases();
  const judged: Judged[] = [];

  after(() => print(judged));

  for (const group of new Set(cases.map((each) => each.group))) {
    it(`finds the expected problems in ${group}, and nothing says otherwise`, () => {
      const own = cases.filter((one) => one.group === group).map((each) => ({ ...each, ...judge(each) }));
      judged.push(...own);
      for (const { case: title, missed, wrong, found, foreign, contradictions } of own) {
        const all = found.map(({ level, logger = '', message }) => `${level} ${logger}: ${message}`).join('\n');
        assert.deepEqual({ missed, wrong }, { missed: [], wrong: [] }, `${title}\n${all}`);
        assert.deepEqual(contradictions, [], title);
        assert.deepEqual(foreign, [], title);
      }
    });
  }
});

function print(judged: readonly Judged[]): void {
  const groups = [...new Set(judged.map(({ group }) => group))];
  const rows = groups.map((name) =>
    row(
      name,
      judged.filter(({ group }) => group === name),
    ),
  );
  console.log('');
  printTable([['Class', 'Expected', 'Missed', 'False alarms', 'Right'], ...rows, row('All', judged)]);
  const expected = judged.flatMap(({ expect }) => expect.filter(({ optional }) => optional !== true)).length;
  const missed = judged.flatMap((each) => each.missed).length;
  const found = judged.flatMap((each) => each.found);
  const words = found.map(({ message }) => message.split(/\s+/).length).reduce((sum, count) => sum + count, 0);
  console.log(
    `\nRecall ${((100 * (expected - missed)) / expected).toFixed(1)} %, ` +
      `${judged.flatMap(({ wrong }) => wrong).length} false alarms, ${(words / found.length).toFixed(1)} words per finding.`,
  );
}

function row(name: string, judged: readonly Judged[]): string[] {
  const count = (listOf: (each: Judged) => readonly unknown[]): string => String(judged.flatMap(listOf).length);
  const right = judged.filter(({ missed, wrong }) => missed.length + wrong.length === 0).length;
  return [
    name,
    count(({ expect }) => expect),
    count(({ missed }) => missed),
    count(({ wrong }) => wrong),
    `${right} of ${judged.length}`,
  ];
}
