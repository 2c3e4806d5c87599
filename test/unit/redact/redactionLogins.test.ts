import assert from 'node:assert/strict';
import { Redactor } from '../../../src/redact/redactor';
import { keeps } from '../../support/redactionRows';

const redactor = new Redactor();
const token = 'b7Fq2XzT9mLk4VwR8nYc1HdJ6sGpQ3eA';
const signature = 'Zk3Jw9Xq2Lr7Tn5Vb8Ym1Hd4Gs6Pc0Ae%2BRu%2FIoKlMjN%3D';

describe('secrets of a login', () => {
  for (const text of [
    // OAuth
    'GET /callback?code=%&state=xyz HTTP/1.1',
    'http://localhost:1455/auth/callback?state=a&code=%',
    'POST /token grant_type=authorization_code&code=%&redirect_uri=http%3A%2F%2Flocalhost',
    'code=%&grant_type=authorization_code',
    '{"grant_type":"authorization_code","code":"%"}',
    'AUTH_CODE=%',
    '--auth-code %',
    'device code: %',
    '{"device_code":"%","user_code":"WDJB-MJHT","interval":5}',
    'DEVICE_CODE=%',
    'code_verifier=%',
    '"codeVerifier": "%"',
    'CODE_VERIFIER=%',
    '--code-verifier %',
    'pkce_verifier: "%"',
    // The files that agents save it in
    '{"anthropic":{"type":"oauth","refresh":"%","access":"%","expires":1790000000000}}',
    '{"github-copilot":{"type":"oauth","refresh":"%","access":"","expires":0}}',
    '{"mistral":{"type":"api","key":"%"}}',
    '{"zai":{"type":"api_key","key":"%"}}',
    'cat auth.json: {"type":"oauth","refresh":"%","access":"%","expires":1} ok',
    '{"mistral":{"key":"%","type":"api"}}',
    "{'type': 'api', 'key': '%'} was saved",
    '{"type":"api_key","key":"%"} was saved',
    "{'key': '%', 'type': 'api'} was saved",
    '{"zai":{"key":"%","added":1,"type":"api_key"}}',
    'auth.json has {"key":"%","type":"api"} now',
    '$ cat auth.yaml\nanthropic:\n  type: oauth\n  refresh: %\n  access: %\n  expires: 1790000000000\n',
    'openai:\n  access: "%"\n  type: "oauth"\n',
    '$ cat auth.json\n{\n  "kilo": {\n    "type": "api",\n    "key": "%"\n  }\n}',
    'If your browser does not open, visit:\n\nhttps://ampcode.com/auth/cli-login?authToken=%&callbackPort=35789\n',
    // Headers and settings
    'session_key: %',
    '"sessionKey": "%"',
    'SESSION_KEY=%',
    'X-Auth: %',
    "headers['X-Auth'] = '%'",
    'X-Functions-Key: %',
    '{"user":"shop","pass":"%"}',
    '[db]\nuser = "app"\npass = "%"\n',
  ]) {
    it(`are found: ${text}`, () => {
      const expected = text.replace(/%(?!3A|2F)/g, () => '[redacted]');
      const written = text.replace(/%(?!3A|2F)/g, () => token);
      assert.equal(redactor.line(written), expected);
      assert.equal(redactor.line(JSON.stringify({ a: JSON.stringify({ written }) })).includes(token), false);
    });
  }

  it('are found in a signature, in a URL or not', () => {
    for (const text of ['sig=%', 'SharedAccessSignature sig=%&se=1', '"sv=2024&sig=%"', '?sig=%', '?Signature=%']) {
      for (const value of [signature, 'Ab-dEf12_hiJkl0mXopq~stuvwxyz-1234567890__']) {
        assert.equal(redactor.line(text.replace('%', () => value)), text.replace('%', '[redacted]'));
      }
    }
  });

  keeps([
    '{"code":"UND_ERR_CONNECT_TIMEOUT"}, {"code":"ERR_HTTP2_STREAM_ERROR_1234"}, error code: AADSTS50058',
    '{"code":"019a9f1e-5b1c-7c3e-9d55-2f6a1b7c8d9e","exitCode":1}',
    'code: src/main/java/com/example/App.java, Visual Studio Code: 1.103.0',
    'code_verifier = base64url(randomBytes(32)), code_challenge_method=S256',
    '"grant_type":"urn:ietf:params:oauth:grant-type:device_code"',
    '{"type":"api","key":"users.list"}, {"type":"apiKey","key":"x-api-key","in":"header"}',
    '{"type":"object","key":"Enter","access":"public","refresh":"every-15-minutes"}',
    '{"type":"oauth","scopes":["read"]}',
    '{"key":"users.list","type":"api"}, {"key":"x-api-key","in":"header","type":"apiKey"}',
    'type: oauth\nrefresh: every-15-minutes\naccess: read_write_everything_in_workspace\n',
    'access: read_write_everything_in_workspace',
    '{"sessionKey":"agent:main:019a9f1e-5b1c-7c3e-9d55-2f6a1b7c8d9e"}',
    'const sessionKey = `${userId}:${tabId}`;',
    'X-Idempotency-Key: 019a9f1e-5b1c-7c3e-9d55-2f6a1b7c8d9e, X-Auth: none',
    'pass: 12, fail: 0, "pass": true, bypass = "enabled"',
    'sig=SIGTERM pid=4312, sig=0x7ffd12345678, const sig = await sign(payload)',
  ]);
});
