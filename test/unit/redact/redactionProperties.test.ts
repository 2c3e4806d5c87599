import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Redactor } from '../../../src/redact/redactor';
import { nested, shape } from '../../support/jsonShape';
import { holds } from '../../support/property';
import { namedSecret, password, prose, random, secretName, shapedSecret } from '../../support/secrets';

const redact = (text: string): string => new Redactor().line(text);

/** Nothing of the secret's second half is left: how a token begins may be public. */
function assertGone(text: string, secret: string): void {
  const redacted = redact(text);
  const half = secret.slice(Math.floor(secret.length / 2));
  const others = text.replaceAll(secret, '');
  for (let at = 0; at + 6 <= half.length; at++) {
    const piece = half.slice(at, at + 6);
    assert.ok(others.includes(piece) || !redacted.includes(piece), `${text}\n  became\n${redacted}`);
  }
  assert.equal(redact(redacted), redacted);
}

const depth = fc.integer({ min: 0, max: 3 });
const anySecret = fc.oneof(shapedSecret, namedSecret, password);
const before = fc.oneof(prose, fc.constantFrom('', '[info] ', '2026-11-20T12:00:00Z WARN auth: ', 'x=1 '));

/** A secret by its name, as text: logfmt, headers, URLs, dumps of the environment and of objects, command lines. */
const namedInText = fc
  .tuple(before, secretName, anySecret, prose, fc.nat({ max: 12 }))
  .map(([head, name, secret, tail, form]): readonly [string, string] => {
    const env = name.replaceAll('-', '_').toUpperCase();
    const forms = [
      `${head} ${name}=${secret} level=info`,
      `${head} level=info ${name}="${secret}" ${tail}`,
      `${name}=${secret}`,
      `${name}: ${secret}`,
      `${head} { ${JSON.stringify(name)}: '${secret}', other: 1 }`,
      `export ${env}=${secret}`,
      `export ${env}="${secret}"`,
      `${env}='${secret}' node agent.js ${tail}`,
      `GET https://api.example.com/v1/x?a=1&${name}=${encodeURIComponent(secret)}&b=2`,
      `curl -H '${name}: ${secret}' https://example.com`,
      `Authorization: Bearer ${secret}`,
      `  headers: { authorization: 'Bearer ${secret}' } ${tail}`,
      `run --${name.toLowerCase().replaceAll('_', '-')} ${secret} --verbose`,
    ];
    return [forms[form] ?? '', form === 8 ? encodeURIComponent(secret) : secret];
  });

/** A secret by its name in JSON, as a member, as a pair of name and value, in headers and in arguments. */
const namedInJson = fc
  .tuple(secretName, anySecret, prose, fc.nat({ max: 6 }), depth)
  .map(([name, secret, text, form, floors]): readonly [string, string] => {
    const forms: unknown[] = [
      { text, [name]: secret, n: 1 },
      { params: { config: { [name]: secret }, list: [text] } },
      {
        env: [
          { name, value: secret },
          { name: 'HOME', value: '/root' },
        ],
      },
      { env: [{ value: secret, name }] },
      { headers: { Authorization: `Bearer ${secret}` } },
      { args: [`--${name.replaceAll('_', '-')}`, secret] },
      { headers: { [name]: [secret] } },
    ];
    return [nested(forms[form], floors), secret];
  });

describe('redaction: properties', () => {
  holds(
    'takes out what a name gives away, in text of every form',
    700,
    fc.property(namedInText, ([text, secret]) => assertGone(text, secret)),
  );

  holds(
    'takes out what a name gives away, in JSON up to three strings deep',
    700,
    fc.property(namedInJson, ([text, secret]) => {
      assertGone(text, secret);
      assert.deepEqual(shape(JSON.parse(redact(text))), shape(JSON.parse(text)));
    }),
  );

  holds(
    'takes out what its shape gives away, wherever it stands',
    700,
    fc.property(
      shapedSecret,
      prose,
      prose,
      fc.constantFrom(' ', '"', "'", ': ', '=', '(', '\t', '/', '>'),
      depth,
      (secret, a, b, mark, floors) => {
        assertGone(`${a}${mark}${secret} ${b}`, secret);
        assertGone(nested({ a, list: [`${a}${mark}${secret} ${b}`] }, floors), secret);
      },
    ),
  );

  holds(
    'takes out the password of a URL',
    300,
    fc.property(
      fc.constantFrom('https', 'postgres', 'redis', 'amqp', 'mongodb+srv'),
      fc.oneof(
        password,
        namedSecret.map((secret) => secret.replaceAll(/[/+=]/g, 'x')),
      ),
      prose,
      depth,
      (scheme, secret, text, floors) => {
        const url = `${scheme}://user:${secret}@db.example.com:5432/x`;
        assertGone(`${text} ${url} ${text}`, secret);
        assertGone(nested({ text, url }, floors), secret);
      },
    ),
  );

  holds(
    'takes out a known value, whatever is in it and however it was written',
    500,
    fc.property(
      fc
        .tuple(
          random('abcXYZ0189', 8),
          fc.oneof(
            fc.string({ unit: 'grapheme', maxLength: 12 }),
            fc.string({ unit: fc.constantFrom('"', '\\', '/', "'", 'é', '😀', ' ', '&', '%'), maxLength: 12 }),
          ),
          random('abcXYZ0189', 6),
        )
        .map((parts) => parts.join('').trim()),
      prose,
      depth,
      fc.boolean(),
      (secret, text, floors, inUrl) => {
        const redactor = new Redactor({ values: [secret] });
        const written = inUrl ? `https://example.com/?x=${encodeURIComponent(secret)}&y=1` : `${text}${secret} ${text}`;
        for (const line of [written, nested({ text: written }, floors)]) {
          const redacted = redactor.line(line);
          for (const piece of [secret.slice(0, 8), secret.slice(-6)]) {
            assert.ok(!redacted.includes(piece), `${line}\n  became\n${redacted}`);
          }
          assert.equal(redactor.line(redacted), redacted);
        }
      },
    ),
  );

  holds(
    'takes a private key out whole, also when messages come between its lines',
    300,
    fc.property(
      fc.array(random('ABCdefGHIjkl0123456789+/', 64), { minLength: 2, maxLength: 20 }),
      fc.constantFrom('', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '),
      fc.array(fc.constantFrom('{"jsonrpc":"2.0","method":"log","params":{}}', '[1]', ''), { maxLength: 20 }),
      fc.constantFrom('', ' ', '\r', '\t '),
      (body, kind, between, trailing) => {
        const redactor = new Redactor();
        const inKey = (inside: readonly string[]): string[] => [
          `-----BEGIN ${kind}PRIVATE KEY-----${trailing}`,
          ...inside,
          `-----END ${kind}PRIVATE KEY-----`,
          'and then it went on',
        ];
        const lines = inKey(body.flatMap((line, i) => (between[i] ? [line, between[i]] : [line])));
        const redacted = lines.map((line) => {
          // Another stream says something meanwhile, and a row of the tree is drawn.
          assert.equal(redactor.line('Listening on port 3000', 'a2c'), 'Listening on port 3000');
          assert.equal(redactor.line('server.js'), 'server.js');
          return redactor.line(line, 'err');
        });
        for (const line of body) {
          assert.ok(
            redacted.every((text) => !text.includes(line)),
            redacted.join('\n'),
          );
        }
        for (const text of between.slice(0, body.length)) assert.ok(text === '' || redacted.includes(text));
        assert.equal(redacted.at(-1), lines.at(-1));
        // In one line, with its line breaks escaped or not.
        for (const text of [JSON.stringify({ text: inKey(body).join('\n') }), inKey(body).join('\\n')]) {
          for (const line of body) assert.ok(!redact(text).includes(line));
        }
      },
    ),
  );
});
