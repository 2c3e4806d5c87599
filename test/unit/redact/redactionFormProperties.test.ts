import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Redactor } from '../../../src/redact/redactor';
import { nested, shape } from '../../support/jsonShape';
import { holds } from '../../support/property';
import { harmlessName, harmlessValue, prose, random, secretName } from '../../support/secrets';

const redact = (text: string): string => new Redactor().line(text);
const depth = fc.integer({ min: 0, max: 3 });

/** Names, beginnings of tokens, quotes and escapes in any order: what the search stumbles over, if over anything. */
const tricky = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...Array.from('"\\\'`:= ,{}[]@&?-…\t'),
        ...'\\" \\\\ \\n \\u0022 :// token apiKey password Authorization Cookie secret key --token _auth sig='.split(
          ' ',
        ),
        ...'sk-ant- sk- eyJ ghp_ AKIA [redacted] name value true null 7 https hooks.slack.com/services/'.split(' '),
        ...['Bearer ', 'Basic ', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'],
      ),
      random('ABCdefghi0123456789', 20),
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((parts) => parts.join(''));

/** The same structure and names, but for names that are tokens themselves, and passwords that were numbers. */
function assertAlike(before: unknown, after: unknown): void {
  if (typeof before === 'number' && after === '[redacted]') return;
  if (typeof before !== 'object' || before === null || Array.isArray(before) !== Array.isArray(after)) {
    assert.deepEqual(shape(after), shape(before));
    return;
  }
  assert.ok(typeof after === 'object' && after !== null);
  const [was, is] = [Object.entries(before), Object.entries(after)];
  if (is.some(([name]) => name.includes('[redacted]'))) return;
  assert.deepEqual(
    is.map(([name]) => name),
    was.map(([name]) => name),
  );
  was.forEach(([name, value]: [string, unknown]) => {
    assertAlike(value, (after as Record<string, unknown>)[name]);
  });
}

describe('redaction: properties of the remaining text', () => {
  holds(
    'leaves sentences, hashes, ids, paths and times alone',
    700,
    fc.property(
      prose,
      harmlessName,
      harmlessValue,
      fc.integer(),
      depth,
      fc.nat({ max: 5 }),
      (text, name, value, n, floors, form) => {
        const forms = [
          `${text} ${value} ${text}`,
          `level=info ${name}=${n} msg="${text}"`,
          `2026-11-20T12:00:00Z INFO agent::core: ${text} ${value}`,
          nested({ [name]: value, message: text, at: value, list: [value, text] }, floors),
          nested({ usage: { [name]: n }, message: `${text} (${value})` }, floors),
          `${name}: ${n}, at ${value}`,
        ];
        const line = forms[form] ?? '';
        assert.equal(redact(line), line);
      },
    ),
  );

  holds(
    'comes to rest, whatever the text',
    700,
    fc.property(tricky, (text) => {
      // A replacement may make a name and its value of other text: the second time may take more, and then it ends.
      const twice = redact(redact(text));
      assert.equal(redact(twice), twice);
    }),
  );

  holds(
    'leaves JSON valid, with the same names and structure, whatever is in it',
    700,
    fc.property(
      fc.oneof(
        fc.dictionary(
          fc.oneof(tricky, secretName),
          fc.oneof(tricky, fc.array(tricky, { maxLength: 3 }), fc.jsonValue()),
          { maxKeys: 5 },
        ),
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.letrec((tie) => ({
          value: fc.oneof({ maxDepth: 3 }, tricky, tie('text'), tie('object')),
          text: tie('value').map((value) => JSON.stringify(value)),
          object: fc.dictionary(secretName, tie('value'), { maxKeys: 3 }),
        })).value,
      ),
      (value) => {
        const text = JSON.stringify(value);
        const redacted = redact(text);
        assertAlike(JSON.parse(text), JSON.parse(redacted));
        assertAlike(JSON.parse(text), JSON.parse(redact(redacted)));
      },
    ),
  );
});
