import assert from 'node:assert/strict';
import { inEnglish, verbatim } from '../../../src/text/translator';
import { connectionWords, losses, reasonOfCode } from '../../../src/protocols/connectionWords';

describe('why a connection failed or ended', () => {
  it('is translatable again after it was an English text of an event', () => {
    const refused = reasonOfCode('ECONNREFUSED')!;
    for (const words of [
      losses.unknownSession,
      losses.closedStream,
      losses.noAnswer,
      refused,
      losses.silent(refused),
      losses.connection(losses.brokenAnswer(refused)),
    ]) {
      assert.deepEqual(connectionWords(inEnglish(words)), words);
    }
  });

  it('stays as it is if a server or a library worded it', () => {
    assert.deepEqual(connectionWords('Kaputt {0}'), verbatim('Kaputt {0}'));
    const broken = connectionWords('the answer broke off: terminated {0}');
    assert.equal(broken.text, 'the answer broke off: {0}');
    assert.equal(inEnglish(broken), 'the answer broke off: terminated {0}');
  });
});
