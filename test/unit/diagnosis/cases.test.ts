import assert from 'node:assert/strict';
import { diagnosisCases, judge } from '../../diagnosis/cases';

describe('diagnosis: adversarial recordings', () => {
  const cases = diagnosisCases();
  for (const group of new Set(cases.map((each) => each.group))) {
    it(`finds the expected problems in ${group}`, () => {
      for (const each of cases.filter((one) => one.group === group)) {
        const { missed, wrong, found } = judge(each);
        const said = found.map(({ level, logger = '', message }) => `${level} ${logger}: ${message}`).join('\n');
        assert.deepEqual({ missed, wrong }, { missed: [], wrong: [] }, `${each.case}\n${said}`);
      }
    });
  }
});
