// Compares the diagnosis of each recording with what a person sees in it, and prints both.
import assert from 'node:assert/strict';
import { printTable } from '../support/printTable';
import { expectedRecordings, verdictOf } from './recordings';

describe('diagnosis: recorded agents', () => {
  const rows: string[][] = [];

  after(() => {
    console.log('');
    printTable([['Recording', 'Failures in it', 'Found', 'Missed', 'False'], ...rows]);
  });

  for (const recording of expectedRecordings()) {
    it(`reports the failures in ${recording}, and nothing else`, () => {
      const { expected, missed, wrong, found } = verdictOf(recording);
      rows.push([
        recording,
        expected.map(({ code, level }) => `${code} (${level})`).join(', ') || 'none',
        `${expected.length - missed.length} of ${expected.length}, in ${found.length} records`,
        missed.map(({ code }) => code).join(', ') || '–',
        wrong.map(({ logger = '' }) => logger).join(', ') || '–',
      ]);
      const all = found.map(({ level, logger = '', message }) => `${level} ${logger}: ${message}`).join('\n');
      assert.deepEqual(missed, [], `missed in:\n${all}`);
      assert.deepEqual(wrong, []);
    });
  }
});
