import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AsciiSearch } from '../../../../src/text/bytes/asciiSearch';
import { ByteChunk } from '../../../../src/text/bytes/byteChunk';

/** Few letters, so that what is sought is often nearly there; @ and ` differ by the bit that tells small letters from capitals. */
const character = fc.constantFrom('a', 'A', 'b', 'B', '@', '`', ' ', '.');
const sought = fc.string({ unit: character, minLength: 5, maxLength: 9 });

function indexIn(text: string, bytes: string, start = 0, end = bytes.length): number | undefined {
  return AsciiSearch.for(text)?.indexIn(new ByteChunk(Buffer.from(bytes, 'latin1')), start, end);
}

describe('search for ASCII in bytes', () => {
  it('finds what a text in lower case would, between any two places', () => {
    fc.assert(
      fc.property(
        sought,
        fc.array(fc.oneof(fc.string({ unit: character, maxLength: 40 }), sought), { maxLength: 6 }),
        fc.nat(60),
        fc.nat(20),
        (text, parts, skipped, cut) => {
          const bytes = parts.join(text.toUpperCase());
          const start = Math.min(skipped, bytes.length);
          const end = Math.max(start, bytes.length - cut);
          const at = bytes.slice(start, end).toLowerCase().indexOf(text.toLowerCase());
          assert.equal(indexIn(text, bytes, start, end), at < 0 ? -1 : at + start);
        },
      ),
    );
  });

  it('finds each length at each place', () => {
    for (let length = 5; length < 10; length++) {
      const text = 'nEedle-in-hay'.slice(0, length);
      for (let at = 0; at < 40; at++) {
        assert.equal(indexIn(text, `${'n'.repeat(at)}${text.toUpperCase()}${'e'.repeat(40 - at)}`), at);
        assert.equal(indexIn(text, `${'n'.repeat(at)}${text}`), at);
      }
    }
  });

  it('takes no other character for a letter in another case', () => {
    assert.equal(indexIn('a@b@c', 'a`b`c'), -1);
    assert.equal(indexIn('[tool]', '{tool}'), -1);
    assert.equal(indexIn('a\x10b\x10c', 'a0b0c'), -1);
  });

  it('is none for a text that is short or long, or beyond ASCII', () => {
    assert.equal(AsciiSearch.for('four'), undefined);
    assert.equal(AsciiSearch.for('ten in all'), undefined);
    assert.equal(AsciiSearch.for('größer'), undefined);
  });
});
