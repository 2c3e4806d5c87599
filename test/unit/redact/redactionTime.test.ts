import assert from 'node:assert/strict';
import { Redactor } from '../../../src/redact/redactor';
import { hostilePairs, hostileTexts, millisecondsFor, takesLinearTime } from '../../support/doubling';

/** What is looked at again and again if anything is, besides what is hostile to every reader: names whose values nothing ends, beginnings of tokens, headers, quotes that stay open. */
const units = [
  ...'"token":" \\"token\\": key= api_key= TOKEN=abcdefgh1234| secret:aaa| token=|||||||| token=$('.split(' '),
  ...'token=env: token:/a/ password password:a1 token:[ cookie:[a= token:[]string{" "name":"api_key",'.split(' '),
  ...'A_KEY= Authorization: Authorization:[ Cookie: Bearer/ Basic/ https://a:'.split(' '),
  ...'https://h/?api_key=Ab1Cd2Ef3+ u0026sig= sk- eyJ. _eyJhbGciOi ghp_ ya29. glpat-a. tvly- ntn_ lin_api_'.split(' '),
  ...'ATATT3 discord.com/api/webhooks/12345678/ @ ://a:b@ ://a@/ a.atlasv1. 12345:AA ey-'.split(' '),
  ...'eyJhbGciOiJIUzI1NiJ9. _mmk ~ password{" a.b.c.key" %3Ftoken%3D %25 \\u003d \\u005cu003d \\\\" &quot;'.split(' '),
  ...'\u001b[31m a\0 ;Password= ?sp=&sig= "password":1234, token=a}} password, cle_api'.split(' '),
  ...'密码： パスワードは「 "mysql","-p'.split(' '),
  ...["token=\\'a", "secret=\\'a b ", 'token:[a ', 'api_token: Some(A("', "'api-token', b'", 'name="api_key" value="'],
  ...['API key: ', 'Authorization: Digest a=b, ', 'Cookie: a=b; ', 'Bearer ', '-----BEGIN PRIVATE KEY-----'],
  ...['Version: x -----BEGIN PRIVATE KEY-----\\n', 'curl -u a:b ', '-u a:', 'sshpass -p ', "IDENTIFIED BY '"],
  ...['<password ', '<key>API_KEY</key> <string>', 'const apiKey: string = ', 'token = process.env.X || '],
  ...['ENV TOKEN ', 'MNEMONIC=abandon ', 'PASSWORD=a b\n', '- name: API_KEY\n  value: ', 'token=a<b '],
  ...['password: |\n  a1\n', 'password:\n', 'password |', '| password |\n', 'a,password\n', 'a\tpassword\tsecret\n'],
  ...['mysql -p', 'password,a\n"', '<input type="password" ', '<input name="token" value="', 'clave de '],
  ...['mot de passe ', '密码 ', 'echo x | sudo -S ', ') values(', ' identified by "', 'htpasswd -b ', 'auth=("a",'],
  ...['curl -b a=', 'Ab1Cd2Ef is my key ', 'password:"; send "', 'variable "db_password" { ', 'a/b@tcp('],
  ...['verification code ', 'cookies={"a": "', 'credentials are a / ', 'password was changed to ', 'smbclient -U a%'],
];

/** Each looks for the end of its value, which is that of the text. */
const begins = [
  ...'key= "password":" https://a: _ey'.split(' '),
  ...['token: ', 'Authorization: ', '--token ', '-----BEGIN PRIVATE KEY-----\\n'],
];

const inText = (text: string): string => text;
const inJson = (text: string): string => JSON.stringify({ method: 'session/update', params: { text } });

const inName = (text: string): string => JSON.stringify({ [text]: 1 });
const inNestedJson = (text: string): string => inJson(JSON.stringify({ text }));

const redact = (text: string): void => void new Redactor().line(text, 'a2c');

describe('redaction: its time', () => {
  const texts = [
    ...hostileTexts(units),
    ...hostileTexts(),
    ...hostilePairs(begins, ['a', 'a ', '=', '.', '\\\\', '-']),
  ];
  for (const [place, form] of Object.entries({
    'a line': inText,
    'a value of JSON': inJson,
    'the name of a member': inName,
    'JSON in JSON': inNestedJson,
  })) {
    takesLinearTime(
      `grows with the length of ${place} and no faster`,
      (text) => void new Redactor().line(form(text)),
      texts,
    );
  }

  for (const name of ['token: ', 'authorization: ', 'API_KEY=', '"secret":"']) {
    it(`grows no faster with the length of a value of nothing but digits: ${name}`, () => {
      for (const form of [inText, inJson]) {
        assert.ok(millisecondsFor(redact, form(`${name}${'1'.repeat(200_000)}x`)) < 1000);
      }
    });
  }

  for (const unit of ['Version: x -----BEGIN PRIVATE KEY-----\\n', 'TOKEN:pwd']) {
    it(`is short for a line of 1 MiB: ${unit}`, () => {
      const text = unit.repeat(Math.ceil(1_048_576 / unit.length));
      // It was 22 s and 3.9 s.
      for (const form of [inText, inJson]) assert.ok(millisecondsFor(redact, form(text)) < 3000);
    });
  }

  it('takes one search, even with many names in a value', () => {
    const value = 'api_key=Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU|'.repeat(10_000);
    assert.equal(new Redactor().line(`${value} and more`), 'api_key=[redacted]| and more');
    assert.equal(new Redactor().line('Cookie: a=b; '.repeat(10_000)), 'Cookie: [redacted]');
  });
});
