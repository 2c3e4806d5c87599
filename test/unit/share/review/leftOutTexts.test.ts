import * as assert from 'node:assert/strict';
import { LeftOutTexts } from '../../../../src/share/review/leftOutTexts';
import { Pauses } from '../../../../src/share/review/pauses';

async function textsOf(...texts: readonly string[]): Promise<LeftOutTexts> {
  const left = new LeftOutTexts();
  for (const text of texts) left.add(text, true);
  await left.prepare(new Pauses());
  return left;
}

describe('texts that are left out', () => {
  it('are found however they are cut, wrapped and escaped', async () => {
    const left = await textsOf('Please find out why the parser\nfails when it meets an empty file.');
    const rows: readonly (readonly [string, string])[] = [
      ['Sent: "please find out why the par…"', 'Sent: "(left out)…"'],
      ['{"reply":"why the parser\\nfails when"}', '{"reply":"(left out)"}'],
      ['why  the parser\n   fails when it', '(left out)'],
      ['First: find out why the parser; second: meets an empty file', 'First: (left out); second: (left out)'],
      ['the parser is here', 'the parser is here'],
    ];
    for (const [text, expected] of rows) assert.equal(left.strip(text), expected);
  });

  it('are found as a whole if they are short', async () => {
    const left = await textsOf('deploy it');
    assert.equal(left.strip('Deploy it!'), '(left out)');
    assert.equal(left.strip('The title is "deploy it".'), 'The title is "(left out)".');
    assert.equal(left.strip('Did you deploy it today?'), 'Did you deploy it today?');
    assert.ok(left.has('deploy') && !left.has('remove'));
  });

  it('are found in a long run, too', async () => {
    const words = Array.from({ length: 300_000 }, (_, n) => `w${(n * 7919).toString(36)}`);
    const left = await textsOf(words.join(' '));
    for (const at of [0, 20_000, 150_000, 299_960]) {
      assert.equal(left.strip(`Log: ${words.slice(at, at + 40).join(' ')}`), 'Log: (left out)');
    }
  });
});
