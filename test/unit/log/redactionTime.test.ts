import assert from 'node:assert/strict';
import { Redactor } from '../../../src/log/redact/redactor';

/** What is looked at again and again if anything is: names whose values nothing ends, beginnings of tokens, headers, quotes that stay open. */
const units = [
  '"token":"',
  '\\"token\\":',
  'key=',
  'api_key=',
  'TOKEN=abcdefgh1234|',
  'secret:aaa|',
  'token=||||||||',
  'token=$(',
  'token=env:',
  'token:/a/',
  "token=\\'a",
  "secret=\\'a b ",
  'password',
  'password:a1',
  'token:[',
  'token:[a ',
  'cookie:[a=',
  'api_token: Some(A("',
  'token:[]string{"',
  "'api-token', b'",
  '"name":"api_key",',
  'name="api_key" value="',
  'API key: ',
  'A_KEY=',
  'Authorization:',
  'Authorization:[',
  'Authorization: Digest a=b, ',
  'Cookie:',
  'Cookie: a=b; ',
  'Bearer ',
  'Bearer/',
  'Basic/',
  'https://a:',
  'https://h/?api_key=Ab1Cd2Ef3+',
  'u0026sig=',
  'sk-',
  'eyJ.',
  'ya29.',
  'glpat-a.',
  'tvly-',
  'ntn_',
  'lin_api_',
  'ATATT3',
  'discord.com/api/webhooks/12345678/',
  '@',
  '-----BEGIN PRIVATE KEY-----',
  'Version: x -----BEGIN PRIVATE KEY-----\\n',
  '://a:b@',
  '://a@/',
  'a.atlasv1.',
  '12345:AA',
  'ey-',
  'eyJhbGciOiJIUzI1NiJ9.',
  '_mmk',
  '~',
  'curl -u a:b ',
  '-u a:',
  'sshpass -p ',
  "IDENTIFIED BY '",
  'password{"',
  '<password ',
  '<key>API_KEY</key> <string>',
  'a.b.c.key"',
  '%3Ftoken%3D',
  '%25',
  '\\u003d',
  '\\u005cu003d',
  '\\\\"',
  '&quot;',
  '\u001b[31m',
  'a\0',
  'const apiKey: string = ',
  'token = process.env.X || ',
  'ENV TOKEN ',
  'MNEMONIC=abandon ',
  'PASSWORD=a b\n',
  '- name: API_KEY\n  value: ',
  ';Password=',
  '?sp=&sig=',
  'token=a<b ',
  '"password":1234,',
  'token=a}}',
];

const inText = (text: string): string => text;
const inJson = (text: string): string => JSON.stringify({ method: 'session/update', params: { text } });

const short = 4000;
const times = 48;

function millisecondsFor(text: string): number {
  const redactor = new Redactor();
  const from = performance.now();
  redactor.line(text, 'a2c');
  return performance.now() - from;
}

/** Of two times the least: the machine may be busy with something else. */
function least(text: string): number {
  return Math.min(millisecondsFor(text), millisecondsFor(text));
}

describe('redaction: its time', () => {
  for (const unit of units) {
    it(`grows with the length of the line and no faster: ${unit}`, () => {
      for (const form of [inText, inJson]) {
        const text = (length: number): string => form(unit.repeat(Math.ceil(length / unit.length)));
        least(text(short)); // what is used often is compiled first
        const before = least(text(short));
        const after = millisecondsFor(text(times * short));
        // With the square of the length it would take 2304 times as long.
        assert.ok(after < 5 * times * before + 1000, `${before.toFixed(1)} ms became ${after.toFixed(1)} ms`);
      }
    }).timeout(20_000);
  }

  for (const name of ['token: ', 'authorization: ', 'API_KEY=', '"secret":"']) {
    it(`grows no faster with the length of a value of nothing but digits: ${name}`, () => {
      for (const form of [inText, inJson]) assert.ok(millisecondsFor(form(`${name}${'1'.repeat(200_000)}x`)) < 1000);
    });
  }

  for (const unit of ['Version: x -----BEGIN PRIVATE KEY-----\\n', 'TOKEN:pwd']) {
    it(`is short for a line of 1 MiB: ${unit}`, () => {
      const text = unit.repeat(Math.ceil(1_048_576 / unit.length));
      // It was 22 s and 3.9 s.
      for (const form of [inText, inJson]) assert.ok(millisecondsFor(form(text)) < 3000);
    }).timeout(20_000);
  }

  it('takes one search, even with many names in a value', () => {
    const value = 'api_key=Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU|'.repeat(10_000);
    assert.equal(new Redactor().line(`${value} and more`), 'api_key=[redacted]| and more');
    assert.equal(new Redactor().line('Cookie: a=b; '.repeat(10_000)), 'Cookie: [redacted]');
  });
});
