import assert from 'node:assert/strict';
import { expectedRecordings, verdictOf } from '../../diagnosis/recordings';

describe('diagnosis: recorded agents', () => {
  for (const recording of expectedRecordings()) {
    it(`reports the failures in ${recording}, and nothing else`, () => {
      const { missed, wrong, said } = verdictOf(recording);
      const all = said.map(({ level, logger = '', message }) => `${level} ${logger}: ${message}`).join('\n');
      assert.deepEqual(missed, [], `missed, where this was said:\n${all}`);
      assert.deepEqual(wrong, []);
    });
  }
});
