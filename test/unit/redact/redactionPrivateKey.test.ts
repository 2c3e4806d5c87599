import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { Redactor } from '../../../src/redact/redactor';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const pem = privateKey.trim().split('\n');
const secret = pem.slice(1, -1).filter((line) => line.length > 5);

/** What is left of lines that come one by one on standard error. */
function left(lines: readonly string[]): readonly string[] {
  const redactor = new Redactor();
  return lines.map((line) => redactor.line(line, 'err'));
}

describe('redaction: the lines of a private key', () => {
  const forms: [string, readonly string[]][] = [
    ['bare', pem],
    ['as Node prints them in an object', inspect({ appId: 1, privateKey }).split('\n')],
    ['as Node prints them in a list', inspect([privateKey]).split('\n')],
    ['behind the prefix of a logger', pem.map((line) => `DEBUG: ${line}`)],
    ['behind times', pem.map((line, n) => `[2026-11-20T12:00:${String(10 + n)}Z] ${line}`)],
    ['with other lines between them', pem.flatMap((line) => [`agent-1  | ${line}`, 'db-1  | it is ready'])],
    [
      'with an empty line and headers',
      ['-> ', 'Proc-Type: 4,ENCRYPTED', ''].reduceRight(inserted, pem).map((line) => `a | ${line}`),
    ],
    ['as Node prints a list of them', inspect(pem, { maxArrayLength: null }).split('\n')],
    ['as JSON has a list of them', JSON.stringify({ key: pem }, null, 2).split('\n')],
    ['in the messages of logfmt', pem.map((line) => `level=info msg="${line}"`)],
    ['as a program has them', pem.map((line) => `  "${line}\\n" +`)],
  ];
  for (const [name, lines] of forms) {
    it(`are taken out: ${name}`, () => {
      const redacted = left([...lines, 'and it went on', 'done']);
      for (const line of secret) assert.ok(!redacted.join('\n').includes(line), redacted.join('\n'));
      // The text around them stays.
      assert.equal(redacted.length, lines.length + 2);
      assert.deepEqual(redacted.slice(-2), ['and it went on', 'done']);
      for (const [n, line] of lines.entries()) {
        if (!secret.some((part) => line.includes(part)) && !line.startsWith('Proc')) assert.equal(redacted[n], line);
      }
    });
  }

  it('are taken out of one text that quotes each of them', () => {
    const text = inspect({ privateKey });
    for (const form of [text, JSON.stringify({ text }), JSON.stringify({ json: JSON.stringify({ text }) })]) {
      const redacted = new Redactor().line(form);
      for (const line of secret) assert.ok(!redacted.includes(line), redacted);
      if (form !== text) JSON.parse(redacted);
    }
  });

  it('are taken out of one text of OpenPGP, whatever its headers', () => {
    for (const headers of [[], ['Version: GnuPG v2.0.22 (GNU/Linux)', 'Comment: https://example.com']]) {
      const lines = ['-----BEGIN PGP PRIVATE KEY BLOCK-----', ...headers, '', ...pem.slice(1, -1), '=ab1C'];
      const text = [...lines, '-----END PGP PRIVATE KEY BLOCK-----', 'done'].join('\n');
      for (const form of [text, JSON.stringify({ text }), `stdout=b'${text.replaceAll('\n', '\\n')}'`]) {
        const redacted = new Redactor().line(form);
        for (const line of secret) assert.ok(!redacted.includes(line), redacted);
        assert.match(redacted, /-----END PGP PRIVATE KEY BLOCK-----(?:\n|\\n)done/);
      }
      assert.ok(left(lines).every((line) => !secret.some((part) => line.includes(part))));
    }
  });

  it('are taken out of one text of HTML', () => {
    const redacted = new Redactor().line(`<pre>${pem.join('<br>')}</pre>`);
    assert.equal(redacted, `<pre>${pem[0]}…[redacted]${pem.at(-1)}</pre>`);
  });

  it('are none where a line only speaks of a key', () => {
    const lines = [
      'Error: it does not begin with -----BEGIN PRIVATE KEY-----',
      '    at load (/srv/agent/keys.js:10:5)',
      'Aborted',
      "they have '-----BEGIN PRIVATE KEY-----'",
      'Aborted',
    ];
    assert.deepEqual(left(lines), lines);
  });

  it('are none where hashes and paths come after a line that speaks of a key', () => {
    const lines = [
      'Error: the key file has to begin with -----BEGIN PRIVATE KEY-----',
      'Exiting',
      'checked out commit 3f2a9c1d5e8b7a6c4d3e2f1a0b9c8d7e6f5a4b3c',
      'done',
      'image sha256:9b74c9897bac770ffc029102a200c5de9b74c9897bac770ffc029102a200c5de',
      'started',
      'working directory /home/me/projects/agents/workspace/checkout/sources',
      'retrying',
    ];
    assert.deepEqual(left(lines), lines);
    // The same right after it, in quotes.
    assert.deepEqual(left(["'-----BEGIN PRIVATE KEY-----',", "'done',", "'ready'"]).slice(1), ["'done',", "'ready'"]);
  });

  it('begin with a line whose marks leave no long piece', () => {
    const line = 'Be0/Cf1+Gk2/Al3/'.repeat(4);
    assert.deepEqual(left(['-----BEGIN PRIVATE KEY-----', line]).slice(1), ['[redacted]']);
  });

  it('are over when other things are said', () => {
    const others = Array.from({ length: 9 }, (_, n) => `step ${n} of the work is done`);
    const lines = [...others, 'x'.repeat(64)];
    assert.deepEqual(left(['-----BEGIN PRIVATE KEY-----', ...lines]).slice(1), lines);
  });
});

function inserted(lines: readonly string[], line: string): string[] {
  return [...lines.slice(0, 1), line, ...lines.slice(1)];
}
