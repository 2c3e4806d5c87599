import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Envelope } from '../../../src/wire/envelopes';
import { EnvelopeScanner } from '../../../src/wire/envelopes';
import { cuts, inPieces } from '../../support/bytes';
import { holds } from '../../support/property';
import { millisecondsFor } from '../../support/doubling';

function scan(pieces: readonly Uint8Array[]): readonly Envelope[] {
  const scanner = new EnvelopeScanner();
  for (const piece of pieces) scanner.add(piece);
  return scanner.envelopes;
}

/** What the scanner should find, by JSON.parse. */
function parsed(json: string): Envelope[] {
  const value = JSON.parse(json) as unknown;
  return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((message) => {
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return [];
    const { id, method } = message as { id?: unknown; method?: unknown };
    return {
      ...((typeof id === 'string' || typeof id === 'number') && { id }),
      ...(typeof method === 'string' && { method }),
    };
  });
}

const name = fc.constantFrom('id', 'method', 'result', 'params', 'i', '', '__proto__', 'i"d', 'id\\', 'Ⅰd');
/** A name or a text as JSON, with some of its characters escaped though they need not be. */
const escaped = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.array(fc.boolean(), { maxLength: 8 }))
    .map(([plain, escapes]) =>
      JSON.stringify(plain).replace(/[a-z]/g, (letter, at: number) =>
        escapes[at % 8] === true && !/\\u?[0-9a-f]{0,3}$/.test(JSON.stringify(plain).slice(0, at))
          ? `\\u00${letter.charCodeAt(0).toString(16)}`
          : letter,
      ),
    );
const space = fc.constantFrom('', ' ', '\n', '\r\n\t');
const plain = fc.oneof(
  escaped(fc.string({ unit: 'binary', maxLength: 12 })),
  escaped(fc.constantFrom('initialize', 'a long text '.repeat(40), '"id":1', '{"id":7}', '\\', '\\"')),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('true', 'null', '-0', '1e3'),
);
const { value: json } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    plain,
    fc
      .array(fc.tuple(space, tie('value'), space), { maxLength: 4 })
      .map((items) => `[${items.map((item) => item.join('')).join(',')}]`),
    fc
      .array(fc.tuple(space, escaped(name), space, tie('value'), space), { maxLength: 5 })
      .map((all) => `{${all.map(([a, key, b, value, c]) => `${a}${key}${b}:${b}${value}${c}`).join(',')}}`),
  ),
}));

describe('the envelopes of a message', () => {
  holds(
    'are what JSON.parse finds in its own members, however the bytes are cut',
    1000,
    fc.property(json, space, cuts, (text, gap, sizes) => {
      const bytes = Buffer.from(`${gap}${text}${gap}`);
      assert.deepEqual(scan(inPieces(bytes, sizes)), /^[{[]/.test(text) ? parsed(text) : []);
    }),
  );

  holds(
    'of other bytes do no harm',
    300,
    fc.property(json, fc.nat(), fc.uint8Array({ maxLength: 5 }), (text, at, other) => {
      const bytes = Buffer.from(text);
      const cut = at % (bytes.length + 1);
      assert.ok(Array.isArray(scan([bytes.subarray(0, cut), other, bytes.subarray(cut)])));
    }),
  );

  it('are found after long strings', () => {
    for (const length of [0, 1, 254, 255, 256, 257, 300, 16_640, 16_641, 40_000]) {
      for (const end of ['', '"', '\\', '\n', '"id":2,']) {
        const message = { params: { text: 'x'.repeat(length) + end }, id: 1, method: 'x' };
        assert.deepEqual(scan([Buffer.from(JSON.stringify(message))]), [{ id: 1, method: 'x' }]);
      }
    }
  });

  it('are not those of nested values', () => {
    const one = (text: string): readonly Envelope[] => scan([Buffer.from(text)]);
    assert.deepEqual(one('{"method":"log","params":{"data":{"id":42}}}'), [{ method: 'log' }]);
    assert.deepEqual(one('{"result":{"method":"x","id":2},"id":1}'), [{ id: 1 }]);
    assert.deepEqual(one('\ufeff{"id":1,"id":"2"}\r'), [{ id: '2' }]);
    assert.deepEqual(one('[{"id":1},[{"id":2}],{"method":"m"}]'), [{ id: 1 }, { method: 'm' }]);
  });

  it('are missing if there is no message', () => {
    for (const text of ['', '"id"', 'log: {"id":1}', '{"id":1}{"id":2}', '{"id":1', '}{"id":1}']) {
      assert.deepEqual(scan([Buffer.from(text)]), [], text);
    }
  });

  it('are found in constant memory, in time that grows with the message', () => {
    const scanner = new EnvelopeScanner();
    scanner.add(Buffer.from('{"result":"'));
    const piece = Buffer.alloc(64 * 1024, 'x');
    const took = millisecondsFor((each) => {
      for (let n = 0; n < 1024; n++) scanner.add(each);
      scanner.add(Buffer.from(`","${'n'.repeat(10_000)}":${'1'.repeat(10_000)},"id":9}`));
    }, piece);
    assert.ok(took < 5000);
    assert.deepEqual(scanner.envelopes, [{ id: 9 }]);
  });
});
