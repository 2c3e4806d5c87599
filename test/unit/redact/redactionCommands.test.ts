import assert from 'node:assert/strict';
import { Redactor } from '../../../src/redact/redactor';

describe('redaction of command lines', () => {
  for (const [before, secret, after] of [
    ['docker login -u ci -p ', 'wintergreen', ' registry.example.com'],
    ['az login --service-principal -u 1234 -p ', 'wintergreen', ' --tenant x'],
    ['mysql -u root -p', 'wintergreen', ' app'],
    ["mysqldump -h db -uroot -p'", 'correct horse', "' app"],
    ['redis-cli -h cache -a ', 'wintergreen', ' ping'],
    ['ldapsearch -x -D cn=admin -w ', 'wintergreen', ' -b dc=x'],
    ['openssl rsa -in k.pem -passin pass:', 'wintergreen', ' -out o.pem'],
    ['["mysql","-h","db","-uroot","-p', 'wintergreen', '","app"]'],
    ['["docker", "login", "-u", "ci", "-p", "', 'wintergreen', '"]'],
    ["run(['redis-cli', '-a', '", 'wintergreen', "', 'ping'])"],
    ['sqlcmd -S db -U sa -P ', 'wintergreen', ' -Q x'],
    ['unzip -P ', 'wintergreen', ' a.zip'],
    ['ansible_become_pass: ', 'wintergreen7', ''],
    ['Passwort: ', 'wintergreen7', ''],
  ] as const) {
    it(`finds: ${before}…`, () => {
      const text = before + secret + after;
      const expected = `${before}[redacted]${after}`;
      assert.equal(new Redactor().line(text), expected);
      assert.equal(new Redactor().line(JSON.stringify({ text })), JSON.stringify({ text: expected }));
    });
  }

  for (const text of [
    'docker run -p 8080:80 app',
    'mysql -p app',
    'git log -p src',
    'grep -w password x.txt',
    'scp -P 2222 a.zip host:',
    '["mysql","-P","3306","-p"]',
  ]) {
    it(`leaves alone: ${text}`, () => {
      assert.equal(new Redactor().line(text), text);
    });
  }
});
