import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TextRedactor } from '../../../src/redact/textRedactor';
import { Redactor } from '../../../src/redact/redactor';
import { longTextOf } from '../../../src/runLog/reading/redactEvent';
import { holds } from '../../support/property';

const secret = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU';
const bodyLine = 'MIIEpQIBAAKCAQEAwZk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eUqW5zXy0KdPoNcTu';

function pem(lines: number): string {
  const body = Array.from({ length: lines }, () => `${bodyLine}\n`).join('');
  return `-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----`;
}

/** A secret, or several characters that are one, as a member of JSON. */
const members: Readonly<Record<string, string>> = {
  'a private key': `"text":${JSON.stringify(pem(24))}`,
  'a private key in JSON in a string': `"text":${JSON.stringify(JSON.stringify({ key: pem(24) }))}`,
  'a private key of 400 KB': `"text":${JSON.stringify(pem(6000))}`,
  'a password of 500 KB': `"password":"${secret.repeat(16_000)}"`,
  'a header': `"text":"Authorization: Bearer ${secret}"`,
  'an option': `"text":"run --api-key ${secret} now"`,
  'an option in a list': `"args":["run","--api-key","${secret}"]`,
  'a member': `"password" : "${secret}"`,
  'a member in a string': `"text":${JSON.stringify(`{"password":"${secret}"}`)}`,
  'a variable': `"text":"OPENAI_API_KEY=${secret} "`,
  'the password of a URL': `"text":"https://me:${secret}@example.com/x"`,
  'a pair': `"env":[{"name":"API_KEY","value":"${secret}"}]`,
  'a token': `"text":"use ghp_${secret}abcd for it"`,
  'a password of a command': `"text":"mysql -u root -p${secret} shop"`,
  'a known value': '"text":"it is Hunter-known-Value99, she said"',
  'a match of a pattern': '"text":"of acct-1234-5678 only"',
  'a match of a pattern of a whole string': '"text":"case number \\"7\\" of Ann"',
};
const left = [secret, bodyLine, 'Value99', '1234-5678', 'of Ann'];

function redactor(): Redactor {
  return new Redactor({
    secrets: ['Hunter-known-Value99'],
    patterns: [/acct-\d{4}-\d{4}/gu, /^case number "\d" of \w+$/gu],
  });
}

function fed(redacted: TextRedactor, text: string, chunk: number): string {
  let out = '';
  for (let at = 0; at < text.length; at += chunk) out += redacted.add(text.slice(at, at + chunk));
  return out + redacted.end();
}

const item = '{"n":12,"it":"some ordinary words, and more"},';

/** A line with a member at about this place. */
function lineWith(member: string, place: number): string {
  const filler = item.repeat(Math.ceil(place / item.length));
  const after = item.repeat(1000).slice(0, -1);
  return `[${filler}{"pad":"${'x '.repeat((place % item.length) / 2)}",${member}},${after}]`;
}

const kinds = Object.keys(members);
/** Where texts are cut, and around it. */
const place = fc
  .tuple(fc.constantFrom(0, 56 * 1024, 64 * 1024, 72 * 1024, 128 * 1024), fc.integer({ min: -2500, max: 300 }))
  .map(([at, off]) => Math.max(0, at + off));

describe('redaction of a text in pieces', () => {
  holds(
    'is that of the whole text, wherever a secret is and wherever the pieces end',
    6,
    fc.property(fc.constantFrom(...kinds), place, fc.integer({ min: 1000, max: 200_000 }), (kind, at, chunk) => {
      const line = lineWith(members[kind] ?? '', at);
      const redacted = fed(redactor().longText(), line, chunk);
      assert.equal(redacted, redactor().line(line));
      for (const text of left) assert.ok(!redacted.includes(text), kind);
    }),
  );

  for (const kind of kinds) {
    it(`hides ${kind} across the end of a piece`, () => {
      const member = members[kind] ?? '';
      const inside = Math.min(member.length, 900) / 2;
      const line = lineWith(member, 64 * 1024 - inside);
      const redacted = fed(redactor().longText(), line, 64 * 1024);
      for (const text of left) assert.ok(!redacted.includes(text), kind);
      assert.equal(JSON.parse(redacted) instanceof Array, true);
    });
  }

  it('hides a secret of many megabytes, and goes on after it', () => {
    const text = redactor().longText();
    const pieces = [text.add('"password":"')];
    for (let n = 0; n < 40; n++) pieces.push(text.add(secret.repeat(4000)));
    pieces.push(text.add('" and this is said after it'), text.end());
    assert.equal(pieces.join(''), '"password":"[redacted]" and this is said after it');
  });

  it('cuts no character in two', () => {
    const text = redactor().longText();
    const pieces = [text.add('😀'.repeat(100_000)), text.end()];
    for (const piece of pieces) assert.ok(!/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece));
    assert.equal(pieces.join('').length, 200_000);
  });

  it('works with any redactor of lines', () => {
    const line = `${'x'.repeat(65_530)} hunter22 ${'y'.repeat(200_000)}`;
    const text = longTextOf({ line: (piece) => piece.replaceAll('hunter22', '[redacted]') });
    assert.equal(fed(text, line, 65_536), line.replace('hunter22', '[redacted]'));
  });

  it('leaves out what cannot be searched, and holds none of it', () => {
    const text = longTextOf({
      line: () => {
        throw new RangeError('Maximum call stack size exceeded');
      },
    });
    assert.equal(fed(text, secret.repeat(100_000), 65_536), '(left out: it could not be searched for secrets)');
  });
});
