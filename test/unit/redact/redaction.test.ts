import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from '../../../src/redact/redactor';

const redactor = new Redactor({ values: ['zX9-81kfQ72mLp', 'true', '/usr/bin', 'short'] });
const line = (text: string): string => redactor.line(text);

describe('redaction', () => {
  const secrets: [string, string][] = [
    ['{"apiKey":"sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"}', '{"apiKey":"sk-proj-…[redacted]"}'],
    ['{"a":"{\\"password\\":\\"hunter22\\"}"}', '{"a":"{\\"password\\":\\"[redacted]\\"}"}'],
    ['Authorization: Bearer abcdef1234567890abcdef', 'Authorization: Bearer …[redacted]'],
    ['OPENAI_API_KEY=sk-1234567890abcdefghijklmnop', 'OPENAI_API_KEY=sk-…[redacted]'],
    ['https://me:pa55word@host/x?access_token=abc123', 'https://me:[redacted]@host/x?access_token=[redacted]'],
    ['token=abcdef123456 level=info tokens=5', 'token=[redacted] level=info tokens=5'],
    ['pushed with ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'pushed with ghp_…[redacted]'],
    ['apiKey: Avt3xYz+AbC8qq/1PmNoPq/bCdEfG8=', 'apiKey: [redacted]'],
    ['apiKey=//bAAGhsT4AA5AAA1AAKwAAAA= level=info', 'apiKey=[redacted] level=info'],
    ['apiKey: aB3xY-7kQ2w-zz1RTw-9pLm', 'apiKey: [redacted]'],
    ['{"args":["--api-key","-aB3xY97kQ2wzz1RTw9pLm","-v"]}', '{"args":["--api-key","[redacted]","-v"]}'],
    ['it is zX9-81kfQ72mLp, as we said', 'it is [redacted], as we said'],
    ['{"storageKey":"Avt3xYz+AbC8qq/1PmNoPq/bCdEfG8="}', '{"storageKey":"[redacted]"}'],
    ['{"token":"Paris2024"}', '{"token":"[redacted]"}'],
    ['Authorization: Custom Avt3xYzAbC8qq', 'Authorization: Custom …[redacted]'],
    [
      'POST https://discord.com/api/webhooks/1234567890/Avt3xYzAbC8qqAvt3xYzAbC8qqAvt3xYzAbC8qq?wait=true',
      'POST https://discord.com/api/webhooks/…[redacted]?wait=true',
    ],
    // Escapes that hide the shape of a token, or the place where it begins.
    [
      String.raw`{"text":"value=1\/\/09EBxHVu_57QCgYIARAAGADG97GI_6SLuUTjqwHRayyamEdpCzwwc1Mqs-2nrVPRvRpspo551RkUJOy5uj retries=2"}`,
      String.raw`{"text":"value=[redacted] retries=2"}`,
    ],
    [
      String.raw`{"text":"Here it is:\n\nsoS8Q~I0Bim0WroqGcKDHNQ3o6btefTcukowFbE8\n"}`,
      String.raw`{"text":"Here it is:\n\n[redacted]\n"}`,
    ],
    ['LINEAR_KEY=Avt3xYzAbC8qq', 'LINEAR_KEY=[redacted]'],
    ['{"env":{"TAVILY_KEY":"Avt3xYzAbC8qq"}}', '{"env":{"TAVILY_KEY":"[redacted]"}}'],
    ['Using API key: Avt3xYzAbC8qq', 'Using API key: [redacted]'],
    ['{"text":"Access key = Avt3xYzAbC8qq, and"}', '{"text":"Access key = [redacted], and"}'],
    ['<add key="ApiKey" value="Avt3xYzAbC8qq" />', '<add key="ApiKey" value="[redacted]" />'],
    // Headers and settings as Python, Go and Rust print them.
    [
      "[(b'Set-Cookie', b'__cf_bm=Avt3xYzAbC8qq; path=/'), (b'x-api-key', b'Avt3xYzAbC8qq')]",
      "[(b'Set-Cookie', b'[redacted]'), (b'x-api-key', b'[redacted]')]",
    ],
    [
      'map[Accept:[*/*] Cookie:[sid=Avt3xYz; a=b] X-Api-Key:[Avt3xYzAbC8qq] Authorization:[Bearer Avt3xYzAbC8qq]]',
      'map[Accept:[*/*] Cookie:[[redacted]] X-Api-Key:[[redacted]] Authorization:[Bearer …[redacted]]]',
    ],
    ['http.Header{"X-Api-Key":[]string{"hunter2x"}}', 'http.Header{"X-Api-Key":[]string{"[redacted]"}}'],
    ['Config { api_key: Some(ApiKey("Avt3xYzAbC8qq")), n: 1 }', 'Config { api_key: Some(ApiKey("[redacted]")), n: 1 }'],
    ['{"t":"{ password: Some(Secret(\\"hunter\\")) }"}', '{"t":"{ password: Some(Secret(\\"[redacted]\\")) }"}'],
    ['Cookie: sid=abc; theme=dark', 'Cookie: [redacted]'],
    ['{"password":"1.2.3"}', '{"password":"[redacted]"}'],
  ];
  for (const [text, expected] of secrets) {
    it(`takes it out: ${text.slice(0, 40)}`, () => assert.equal(line(text), expected));
  }

  const harmless = [
    '{"usage":{"totalTokens":10,"max_tokens":4096},"progressToken":"abc-1","tokenType":"bearer"}',
    'Authentication required: password is required, token budget exceeded',
    'commit 2c6baa2f4d5e6a7b8c9d0e1f2a3b4c5d6e7f8a9b in /usr/bin/true, short',
    '01a1f8ba-37e3-7a42-94f6-77456ec93f9e',
    '{"apiKey":"","password":null,"secret":false}',
    '{"sk-token:[":"","a":"b"}',
    'The key to this is patience; the secret is practice.',
    // What agents read: packages that are named for a token, programs that ask for one, parsers, pages.
    '{"dependencies":{"cookie":"^0.5.0","jsonwebtoken":"^9.0.2","js-tokens":"^3.0.0 || ^4.0.0","x-token":"npm:y@1.2.3","y-token":"1.2.3-beta.4+build.5"}}',
    '{"text":"{\\"devDependencies\\":{\\"js-cookie\\":\\"3.0.5\\",\\"@types/jsonwebtoken\\":\\"latest\\"}}"}',
    '"csrf-token": "workspace:*", "tough-cookie": ">=4.1.3 <5.0.0", "api-token": "1.0.0-beta.12"',
    'jsonwebtoken = "9.2.0", npm_package_dependencies_jsonwebtoken=^9.0.2',
    'pw = input("Password: ")',
    '{"content":"pw = input(\\"Password: \\")\\nprint(\\"hello\\")"}',
    'printf("secret=");return 1;',
    "await ask('API_TOKEN: '); login(p, 'bob');",
    "Unexpected token: 'abc1def2'",
    '{"token":"Paris2024","logprob":-0.1}, {"token":"0x1F","bytes":[1]}',
    'Authorization: failed for user bob',
    'cookie: name=value pairs are parsed by the middleware',
    '<a accesskey="s">, <a accesskey="h1">',
    '{"storageKey":"user-preferences-v2"}',
    'password = CharField("Password"), token = Token("abc"), secret: [a b], tokens:[1 2 3], cookies: [a, b]',
    'https://discord.com/api/webhooks/1234567890/messages, https://example.com/webhooks/12/Avt3xYzAbC8qqAvt3xYzAbC8qqAvt3',
    'tvly-python, figd_hub, ntn_client_of_the_workspace, lin_api_key_of_the_team, ATATT3, plin_api_thing_that_has_no_digits_at_all',
    'API key: required, secret key: see the settings, cache key: 3f2a9c1d5e8b, storage key: vscode.1a2b3c4d, key: 3f2a9c1d5e8b',
    'CACHE_KEY=npm-3f2a9c1d5e8b, SORT_KEY=date, LINEAR_KEY=none, {"FOO_KEY":"bar"}, PUBLIC_KEY=1a2b3c4d5e6f',
    '<option name="api_key" value="" />, <input name="token" type="text" value="Avt3xYzAbC8qq">',
    "headers = [(b'x-api-key', b''), ('authorization', 'none')], api_key: Secret([REDACTED])",
  ];
  for (const text of harmless) it(`leaves it alone: ${text.slice(0, 40)}`, () => assert.equal(line(text), text));

  it('changes nothing the second time', () => {
    for (const [text] of secrets) assert.equal(line(line(text)), line(text));
    const spaced = line('Authorization=Bearer  AAAAAAAAAAAAA7A1AAA0');
    assert.equal(line(spaced), spaced);
  });

  it('takes secrets out behind a byte order mark, which stays', () => {
    assert.equal(line('\ufeff{"apiKey":"abc123def456"}'), '\ufeff{"apiKey":"[redacted]"}');
    const own = new Redactor({ patterns: [/CUST-\d+/] });
    assert.equal(own.line('\ufeff{"CUST-1":"CUST-2"}'), '\ufeff{"CUST-1":"[redacted]"}');
  });

  it('tries own patterns on what strings of JSON mean, however long they are, and on no names', () => {
    const own = new Redactor({ patterns: [/CUST-\d+/, /"quoted"/] });
    assert.equal(
      own.line('{"CUST-1" : "a\\nCUST-2", "b":["CUST-3","\\"quoted\\"\\\\"]}'),
      '{"CUST-1" : "a\\n[redacted]", "b":["[redacted]","[redacted]\\\\"]}',
    );
    const long = JSON.stringify({ message: `${'x\n'.repeat(4_000_000)}CUST-7` });
    assert.ok(own.line(long).endsWith('\\n[redacted]"}'));
  });

  it('leaves every line of the recorded agents alone', () => {
    const folder = 'test/fixtures/transcripts';
    for (const file of readdirSync(folder)) {
      for (const text of readFileSync(join(folder, file), 'utf8').split('\n')) assert.equal(line(text), text);
    }
  });
});
