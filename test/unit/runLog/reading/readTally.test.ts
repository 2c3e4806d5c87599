import assert from 'node:assert/strict';
import { ReadTally } from '../../../../src/runLog/reading/readTally';

describe('what was read of a file', () => {
  for (const [text, isRead] of [
    ['{"resourceSpans":[]}', true],
    ['\ufeff{"resourceSpans":[]}', true],
    ['\ufeff{"resourceSpans":[', false],
  ] as const) {
    it(`is ${isRead ? '' : 'not '}${JSON.stringify(text)}`, () => {
      const tally = new ReadTally();
      tally.text(text, { isCut: false, form: 'stream' });
      assert.equal(tally.nothing === undefined, isRead);
    });
  }
});
