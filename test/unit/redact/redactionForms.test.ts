import assert from 'node:assert/strict';
import { Redactor } from '../../../src/redact/redactor';
import { shapes } from '../../../src/redact/shapes/shapeTable';
import { nested } from '../../support/jsonShape';
import { keeps } from '../../support/redactionRows';

const key = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU';
const redact = (text: string): string => new Redactor().line(text);

/** What the redacted line shows once its escapes are decoded. */
function assertHidden(line: string, secret: string): void {
  const redacted = redact(line);
  const shown = redacted.replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  assert.ok(!shown.replaceAll('\\', '').includes(secret.replaceAll('\\', '')), `${line}\n  became\n${redacted}`);
}

describe('redaction: escaped text', () => {
  const escaped = (text: string, characters: RegExp): string =>
    JSON.stringify({ text }).replace(characters, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

  it('redacts what Gson and others escape', () => {
    assertHidden(escaped(`api_key=${key}`, /[=&'<>]/g), key);
    assertHidden(escaped(`sk-proj-${key} and ghp_${key}`, /[-_]/g), key);
    assertHidden(escaped(`password='${key}'`, /[^a-zA-Z0-9{}":,\\]/g), key);
  });

  it('keeps JSON valid when a secret ends in an escape', () => {
    const line = `{"text":"api_key\\u003d${key}\\u003d\\u003d","n":1}`;
    assert.deepEqual(JSON.parse(redact(line)), { text: 'api_key=[redacted]', n: 1 });
  });

  it('redacts JSON in four levels of strings', () => {
    const line = nested({ apiKey: key, url: `https://me:${key}@example.com` }, 4);
    assertHidden(line, key);
    assert.doesNotThrow(() => JSON.parse(redact(line)) as unknown);
  });

  it('redacts percent-encoded names and escaped slashes', () => {
    assertHidden(`https://example.com/?next=https%3A%2F%2Fx.io%2F%3Faccess_token%3D${key}%26a%3D1`, key);
    assertHidden(`{"url":"https:\\/\\/me:${key}@example.com"}`, key);
  });
});

describe('redaction: shapes', () => {
  it('lists each prefix once', () => {
    const prefixes = shapes.map(({ prefix }) => prefix);
    assert.deepEqual(prefixes, [...new Set(prefixes)]);
  });

  it('redacts the formats of today', () => {
    const hex = 'd921e8fecbb7cc03fe0a26540e188223d921e8fecbb7cc03fe0a26540e188223';
    for (const token of [
      `ghs_12345_eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMjM0NSJ9.${key}`,
      `AQ.Ab8${key}`,
      `GOCSPX-${key.slice(4)}`,
      `glrt-${key.slice(12)}`,
      `whsec_${key}`,
      `SG.${key.slice(10)}.${key}${key.slice(21)}`,
      `SK${hex.slice(32)}`,
      `123456789:AA${key}x`,
      `dapi${hex.slice(32)}`,
      `hvs.${key}${key}${key}`,
      `abc8Q~${key}.x`,
      `tskey-auth-${key}`,
    ]) {
      assertHidden(`It printed ${token} twice.`, token.slice(-16));
    }
  });
});

describe('redaction: values given to an agent', () => {
  const shows = (value: string, line: string, secret: string): void => {
    const redacted = new Redactor({ values: [value] }).line(line);
    assert.ok(!redacted.includes(secret), `${line}\n  became\n${redacted}`);
  };

  it('redacts the credentials of a header without their scheme', () => {
    shows('Bearer tropical-Moon-77', 'it said tropical-Moon-77 again', 'tropical-Moon-77');
    shows(`Basic ${btoa('me:tropical-Moon-77')}`, 'it said tropical-Moon-77 again', 'tropical-Moon-77');
  });

  it('redacts the password of a URL, as written and decoded', () => {
    shows('postgres://me:trop%40Moon77@db/x', 'login as me with trop@Moon77', 'trop@Moon77');
    shows('Server=db;Password=tropMoon77!;Encrypt=true', 'tried tropMoon77! twice', 'tropMoon77!');
  });

  it('redacts each line of a value of several lines', () => {
    shows('first-Zk3vQ9xT7m\nsecond-Lw8RnYc4Hd', 'now second-Lw8RnYc4Hd', 'Lw8RnYc4Hd');
  });

  it('redacts percent-encoded and escaped forms', () => {
    shows('trop Moön/77&x', `q=${encodeURIComponent('trop Moön/77&x')}`, '77%26x');
    shows('tropMoön-77x', '{"a":"tropMo\\u00f6n-77x"}', '77x');
    shows('trop-Zk3vQ9xT7m', '{"a":"trop\\u002dZk3vQ9xT7m"}', 'Zk3vQ9xT7m');
  });
});

describe('redaction: source code, settings and command lines', () => {
  const lines: readonly string[] = [
    `apiKey := "${key}"`,
    `const apiKey: string = "${key}";`,
    `  openaiKey?: string = '${key}';`,
    `let api_key: &str = "${key}";`,
    `#define API_KEY "${key}"`,
    `<password>${key}</password>`,
    `System.setProperty("API_TOKEN", "${key}");`,
    `ENV OPENAI_API_KEY ${key}`,
    `api.key=${key}`,
    `curl -u me:${key} https://example.com`,
    `{"args":["curl","-u","me:${key}"]}`,
    `{"auths":{"x.io":{"auth":"${btoa(`me:${key}`)}"}}}`,
    `    client-key-data: ${key}`,
    `const token = process.env.X || "${key}";`,
    `public string ApiKey { get; set; } = "${key}";`,
    `std::string apiKey{"${key}"};`,
    `- name: API_KEY\n  value: "${key}"`,
    `<key>API_KEY</key>\n<string>${key}</string>`,
    `machine x.io login me password ${key}`,
    `CREATE USER me IDENTIFIED BY '${key}';`,
    `sshpass -p '${key}' ssh me@host`,
    `tool --auth ${key}`,
    `tool --key ${key}`,
    `tool --bearer ${key}`,
    `tool --pat ${key}`,
    `tool --password 'two words ${key}'`,
    `**Password:** ${key}`,
    `- **API Key**: \`${key}\``,
    `*Token:* ${key}`,
  ];
  for (const line of lines) {
    it(`redacts ${line.slice(0, 40)}`, () => {
      assertHidden(line, key.slice(12));
      assertHidden(JSON.stringify({ text: `before\n${line}\nafter` }), key.slice(12));
    });
  }
});

describe('redaction: names', () => {
  for (const name of [
    ...'AWS_BEARER_TOKEN_BEDROCK SECRET_KEY_BASE VSCE_PAT REDISCLI_AUTH NPM_AUTH DOCKER_AUTH_CONFIG'.split(' '),
    ...'SLACK_WEBHOOK_URL CI_JOB_JWT openaiKey tavily_key githubPat'.split(' '),
  ]) {
    it(`knows ${name}`, () => {
      assertHidden(`${name}=${key}`, key);
      assertHidden(JSON.stringify({ [name]: key }), key);
    });
  }

  it('redacts a mnemonic, whatever its words are', () => {
    const words = 'abandon ability able about above absent absorb abstract absurd abuse access accident';
    assert.equal(redact(`MNEMONIC=${words}`), 'MNEMONIC=[redacted]');
    assert.equal(redact(JSON.stringify({ mnemonic: words })), '{"mnemonic":"[redacted]"}');
  });

  it('redacts a password that is a number, and keeps JSON valid', () => {
    assert.equal(redact('{"password":29135110,"port":5432}'), '{"password":"[redacted]","port":5432}');
    const inner = nested({ password: 29135110 }, 2);
    assert.ok(!redact(inner).includes('29135110'));
    assert.doesNotThrow(() => JSON.parse(redact(inner)) as unknown);
  });

  it('redacts names of members that are tokens', () => {
    assert.equal(redact(`{"users":{"ghp_${key}":"bob"}}`), '{"users":{"ghp_…[redacted]":"bob"}}');
  });
});

describe('redaction: placeholders', () => {
  it('redacts passwords that begin like one', () => {
    for (const secret of ['[xK#9mQ!v2Lp', '{xK#9mQ!v2Lp', '<xK#9mQ!v2Lp', '$xK#9mQ!v2Lp', '%xK#9mQ!v2Lp']) {
      assertHidden(JSON.stringify({ password: secret }), secret);
      assertHidden(`DB_PASSWORD=${secret}`, secret);
      assertHidden(`password: "${secret}"`, secret);
      assertHidden(`<password>${secret.replace('<', '&lt;')}</password>`, secret.slice(1));
    }
  });

  it('keeps complete placeholders', () => {
    for (const text of [
      ...'<your-key> ${API_KEY} $API_KEY [redacted] *** xxxx %API_KEY%'.split(' '),
      '{{ api_key }}',
    ]) {
      for (const line of [`API_KEY=${text}`, `{"apiKey":"${text}"}`, `api_key: ${text}`]) {
        assert.equal(redact(line), line);
      }
    }
  });

  it('keeps those that text cuts off at a blank or a bracket', () => {
    for (const line of [
      'Authorization: Bearer ${TOKEN}',
      'Authorization: Bearer YOUR_API_KEY',
      'OPENAI_API_KEY=your-api-key-here',
      'export GITHUB_TOKEN=$(gh auth token)',
    ]) {
      assert.equal(redact(line), line);
    }
  });
});

describe('redaction: what looks like a secret and is none', () => {
  keeps([
    'private_key = Ed25519PrivateKey.from_private_bytes(secret)',
    "hasSecrets = 'env' in entry",
    'assert.deepEqual(headers, {"cookie", "http://example.com/?a=b"})',
    'docker run --user 1000:1000 image',
    "Please run 'cursor-agent login' first, or set CURSOR_API_KEY environment variable.",
    'const token = tokens[index];',
    'password: string;',
    '//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJmaWxlIjoiaGdreW5jbGwuanMifQ==',
  ]);
});

describe('redaction: a plain value', () => {
  for (const plain of [
    'read(token: vscode.CancellationToken, name: string): void',
    '{"auth":{"logout":{}},"token":{"type":"text"}}',
  ]) {
    it(`does not keep the next secret from being found: ${plain.slice(0, 20)}`, () => {
      assert.equal(redact(plain), plain);
      assertHidden(`${plain} apiKey: "${key}"`, key);
      assertHidden(JSON.stringify({ plain, apiKey: key }), key);
      assertHidden(JSON.stringify({ text: `${plain}\napiKey: "${key}"` }), key);
    });
  }

  it('is none if it looks like a token', () => {
    assertHidden(`token: ${key},`, key);
    assertHidden(`const token: string = "${key}";`, key);
    assertHidden(`{"auth":{"token":"${key}"}}`, key);
  });
});

describe('redaction: prefixes that end with a dash', () => {
  const hex = '0123456789abcdef'.repeat(4);
  for (const [token, kept] of [
    [`sk-ant-api03-${key}`, 'sk-ant-'],
    [`sk-proj-${key}`, 'sk-proj-'],
    [`NRII-${key}`, 'NRII-'],
    [`s-s4t2ud-${hex}`, 's-s4t2ud-'],
    [`fio-u-${key}${key}`, 'fio-u-'],
  ] as const) {
    it(`keep all of it: ${kept}`, () => {
      assert.equal(redact(`it is ${token} today`), `it is ${kept}…[redacted] today`);
    });
  }

  it('may come at the end of the token', () => {
    assert.equal(redact(`it is ${hex.slice(0, 32)}-us12 today`), 'it is [redacted] today');
  });
});
