import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  cut,
  cutAnywhere,
  duration,
  oneLine,
  patternOf,
  plainText,
  roughDuration,
  size,
  withEscapes,
} from '../../../src/text/text';
import { holds } from '../../support/property';
import { hostileTexts, takesLinearTime } from '../../support/doubling';

describe('text', () => {
  it('strips ANSI escapes, control and bidirectional characters', () => {
    assert.equal(plainText('\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007'), 'red link');
    assert.equal(plainText('a\u0000b\u0007c\u202ed'), 'abcd');
    assert.equal(plainText('tab\tand\nline'), 'tab\tand\nline');
  });

  const hidden = Array.from('\u200b\u2060\ufeff\u00ad\u034f\u3164\u180e\ufff9\u{e0041}\u{e0100}');

  it('strips what draws nothing, and tags that only a model reads', () => {
    for (const char of hidden) assert.equal(plainText(`rm${char} -rf`), 'rm -rf', char.codePointAt(0)?.toString(16));
    const tags = Array.from('ignore all', (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
    assert.equal(plainText(`fine${tags}.`), 'fine.');
    assert.equal(plainText('r\u200dm \u200cx\ufe0f'), 'rm x', 'joiners and selectors that join and select nothing');
  });

  it('keeps joiners and selectors that are spelling', () => {
    for (const text of ['👩‍💻', '❤️‍🔥', '🏃🏽‍♂️', '✏️ 1️⃣', 'می‌خواهم', 'क्‍ष']) assert.equal(plainText(text), text);
  });

  it('writes what is hidden as escapes where all of a text has to be seen', () => {
    assert.equal(withEscapes('a\u200bb\u202ec\u{e0041}\u001b[1m'), 'a\\u200bb\\u202ec\\udb40\\udc41\\u001b[1m');
    for (const char of [...hidden, '\u2028', '\u2800', '\u009b']) {
      const json = JSON.stringify({ command: `a${char}b` });
      assert.notEqual(withEscapes(json), json);
      assert.deepEqual(JSON.parse(withEscapes(json)), { command: `a${char}b` });
    }
    assert.equal(withEscapes('two\nlines 👩‍💻'), 'two\nlines 👩‍💻');
  });

  it('makes line feeds of all line breaks', () => {
    assert.equal(plainText('a\r\nb\rc\u2028d\u0085e'), 'a\nb\nc\nd\ne');
  });

  holds(
    'leaves no character that could steer a terminal or reorder text',
    200,
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      assert.doesNotMatch(plainText(text), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      assert.doesNotMatch(plainText(text), /[\u200b\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u);
    }),
  );

  takesLinearTime(
    'takes linear time, whatever the text',
    (text) => void plainText(text),
    hostileTexts(['\u001b]', '\u001b[', '\u001b[1;', '\r', ' \u0000', '\u200d', 'é\u200d', '\u{e0041}']),
  );

  it('cuts between characters, and says how much is missing', () => {
    assert.equal(cut('abc', 3), 'abc');
    assert.equal(cut('ab cdef', 5), 'ab … (4 more characters)');
    assert.equal(cutAnywhere('abcdef', 3), 'abc… (3 more characters)');
    assert.equal(cutAnywhere('ab😀d', 3), 'ab… (3 more characters)');
  });

  it('puts text on one line', () => {
    assert.equal(oneLine(' a\n  b\tc '), 'a b c');
    assert.equal(oneLine('a'.repeat(20), 5), 'aaaaa…');
    assert.equal(oneLine(`a${' '.repeat(50)}b`, 5), 'a…');
  });

  it('says how long something took', () => {
    assert.deepEqual([0, 340, 2540, 12_300, 200_000].map(duration), ['0 ms', '340 ms', '2.5 s', '12 s', '3 min 20 s']);
    const long = [3_599_499, 3_599_500, 4_020_000, 86_400_000, 777_600_000].map(duration);
    assert.deepEqual(long, ['59 min 59 s', '1 h 0 min', '1 h 7 min', '1 d 0 h', '9 d 0 h']);
  });

  for (const [ms, text, rough] of [
    [999, '999 ms', '0 min'],
    [9940, '9.9 s', '0 min'],
    [9960, '10 s', '0 min'],
    [59_499, '59 s', '0 min'],
    [59_500, '1 min 0 s', '0 min'],
    [47 * 60_000, '47 min 0 s', '47 min'],
    [25 * 3_600_000 + 60_000, '1 d 1 h', '25 h'],
    [49 * 3_600_000, '2 d 1 h', '2 d'],
  ] as const) {
    it(`shows ${ms} ms as ${text}`, () => assert.deepEqual([duration(ms), roughDuration(ms)], [text, rough]));
  }

  it('makes patterns that match a text, whatever is in it and with any flag', () => {
    const text = String.raw`C:\a-b/c.d*e+f?(g)[h]{i}|^j$`;
    for (const flag of ['', 'i', 'u', 'v']) assert.ok(new RegExp(`^(?:x|${patternOf(text)})$`, flag).test(text), flag);
  });

  for (const [bytes, text] of [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 KB'],
    [2540, '2.5 KB'],
    [9960, '10 KB'],
    [999_499, '999 KB'],
    [999_500, '1 MB'],
    [1_000_000, '1 MB'],
    [200_000_000, '200 MB'],
    [3_140_000_000, '3.1 GB'],
  ] as const) {
    it(`shows ${bytes} bytes as ${text}`, () => assert.equal(size(bytes), text));
  }
});
