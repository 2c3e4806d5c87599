import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { Redactor } from '../../../src/redact/redactor';
import { plainText } from '../../../src/text/text';

const key = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU';
const redact = (text: string): string => new Redactor().line(text);

describe('redaction: what a person reads without its colours', () => {
  const lines: [string, string, string][] = [
    [
      'a field of tracing',
      `\u001b[32m INFO\u001b[0m starting \u001b[3mapi_key\u001b[0m\u001b[2m=\u001b[0m"${key}" \u001b[3mn\u001b[0m=1`,
      '\u001b[32m INFO\u001b[0m starting \u001b[3mapi_key\u001b[0m\u001b[2m=\u001b[0m"[redacted]" \u001b[3mn\u001b[0m=1',
    ],
    [
      'a field of structlog',
      `\u001b[1mstarting\u001b[0m \u001b[36mapi_key\u001b[0m=\u001b[35m${key}\u001b[0m`,
      '\u001b[1mstarting\u001b[0m \u001b[36mapi_key\u001b[0m=\u001b[35m[redacted]\u001b[0m',
    ],
    ['an object of Node', `{ apiKey: \u001b[32m'${key}'\u001b[39m }`, "{ apiKey: \u001b[32m'[redacted]'\u001b[39m }"],
    ['a shape', `key \u001b[32msk-ant-api03-${key}\u001b[0m`, 'key \u001b[32msk-ant-…[redacted]\u001b[0m'],
    [
      'in a link',
      `\u001b]8;;https://x\u0007api_key=${key}\u001b]8;;\u0007`,
      '\u001b]8;;https://x\u0007api_key=[redacted]\u001b]8;;\u0007',
    ],
  ];
  for (const [name, text, expected] of lines) {
    it(`is taken out, and the colours stay: ${name}`, () => {
      assert.equal(redact(text), expected);
      assert.equal(redact(expected), expected);
      // The same in a string of JSON, and in one of that.
      assert.equal(redact(JSON.stringify({ text })), JSON.stringify({ text: expected }));
      const nested = (inner: string): string => JSON.stringify({ json: JSON.stringify({ text: inner }) });
      assert.equal(redact(nested(text)), nested(expected));
    });
  }

  it("are removed from text around them, and from Python's escaped form", () => {
    assert.equal(redact(`api_key\u001b(B=${key}`), 'api_key\u001b(B=[redacted]');
    const link = (text: string): string => `api_key=\u001b]8;;https://x\u001b\\${text}\u001b]8;;\u001b\\`;
    assert.equal(redact(link('hunter2hunter2x9')), link('[redacted]'));
    const output = (text: string): string => String.raw`output=b'\x1b[32mAPI_KEY\x1b[0m=${text}'`;
    assert.equal(redact(output('hunter2hunter2x9')), output('[redacted]'));
  });

  it('is taken out of UTF-16 that is read byte by byte', () => {
    for (const text of [`{"msg":"x","api_key":"${key}"}`, `INFO key sk-ant-api03-${key}`]) {
      const wide = Buffer.from(text, 'utf16le').toString('latin1');
      assert.equal(plainText(redact(wide)), redact(text));
      assert.ok(redact(wide).includes('[redacted]'));
    }
  });

  it('is also a known value, and what a pattern of the person matches', () => {
    const redactor = new Redactor({ values: [key], patterns: [/CUST-\d+/] });
    const colour = '\u001b[31m';
    const text = `say "${key.slice(0, 9)}${colour}${key.slice(9)}" to\tCUST${colour}-12345\u001b[0m and CUST-7, please`;
    const expected = 'say "[redacted]" to\t[redacted]\u001b[0m and [redacted], please';
    assert.equal(redactor.line(text), expected);
    assert.equal(redactor.line(expected), expected);
    const json = (inner: string): string => JSON.stringify({ [`CUST-1${colour}`]: inner, n: [inner] });
    assert.equal(redactor.line(json(text)), json(expected));
    const wide = redactor.line(Buffer.from(`use ${key} of CUST-12345 now`, 'utf16le').toString('latin1'));
    assert.equal(plainText(wide), 'use [redacted] of [redacted] now');
  });

  it('is only its value if a NUL separates values', () => {
    const text = `HOME=/root\u0000API_KEY=${key}\u0000LANG=C.UTF-8\u0000`;
    assert.equal(redact(text), text.replace(key, '[redacted]'));
  });

  it('leaves what is coloured and no secret alone', () => {
    for (const text of [
      '\u001b[32m INFO\u001b[0m \u001b[3mtokens\u001b[0m=\u001b[35m512\u001b[0m',
      '\u001b[1m\u001b[0m',
      '\u0000',
    ]) {
      assert.equal(redact(text), text);
      assert.equal(redact(JSON.stringify({ text })), JSON.stringify({ text }));
    }
  });

  it('keeps the names of JSON, however they are coloured', () => {
    const text = JSON.stringify({ '\u001b[3mapi_key\u001b[0m=abc123def456': `api_key\u001b[0m=${key}` });
    assert.deepEqual(JSON.parse(redact(text)), {
      '\u001b[3mapi_key\u001b[0m=abc123def456': 'api_key\u001b[0m=[redacted]',
    });
  });

  it('is a private key too', () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-384',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const redactor = new Redactor();
    const redacted = inspect({ privateKey }, { colors: true })
      .split('\n')
      .map((line) => redactor.line(line, 'err'))
      .join('\n');
    for (const line of privateKey.trim().split('\n').slice(1, -1)) assert.ok(!redacted.includes(line), redacted);
  });
});
