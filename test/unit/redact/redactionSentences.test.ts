import assert from 'node:assert/strict';
import { Redactor } from '../../../src/redact/redactor';
import { keeps } from '../../support/redactionRows';

const redactor = new Redactor();
const token = 'b7Fq2XzT9mLk4VwR8nYc1HdJ6sGpQ3eA';
const password = 'Gr8!Tiger-77x';

describe('secrets that a sentence tells', () => {
  it('are found if they are many words', () => {
    const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
    assert.equal(redactor.line(`my seed phrase: ${words}`), 'my seed phrase: [redacted]');
  });

  it('are found in a line of their own, as Jenkins writes its first password', () => {
    const text = 'Use the following password to proceed to installation:\n\n%\n';
    const hex = '3f9a8c1d2e4b5a6978877665544332aa';
    assert.equal(redactor.line(text.replace('%', () => hex)), text.replace('%', '[redacted]'));
  });

  for (const sentence of [
    'the token for shop: %',
    'Token validation failed for: %',
    'Authorization token generated (local): %',
    'API key for the staging server = %',
    'My new key for OpenRouter is %, please use it',
    'use the secret % to sign the webhook',
    'use the secret (%) to sign the webhook',
    'with api key (%)',
    'with API key [%]',
    'the token <%>, which has to be changed',
    'the token **%**',
    'the secret ‘%’',
    'le secret « %\u00a0»',
    'the token (“%”)',
    'the API key for OpenRouter (%)',
    'the token, %, is mine',
    'API key – %',
    'AccessToken(%)',
    'your token (which is %)',
    'The token is (%).',
    'The token is [%].',
    'The token is „%“.',
    'the API key (e.g. %)',
    'a token, for example %',
    'der Token (z. B. %)',
    'la clave de API (por ejemplo %)',
    'Use the token *%* for staging.',
    'the API key (*%*)',
    'API key (%) was rejected',
    'the key (%) expired',
    'key (%)',
    'I set the token to % in the config.',
    '**API key** — `%`',
    'Unseal Key 1: %',
    'API token for anna@db.internal: %',
    'AccessToken          %',
    'Here is the token for staging:\n\n```\n%\n```',
    'auth code % was accepted',
    'exchanged auth code "%" for tokens',
    'Paste the authorization code here: %',
    'PKCE code verifier: %',
    'The API token of the billing service is %.',
    'Access token for GitLab (read_api): %',
    'Here is the token you asked for: %',
    'token → %',
    'Das Token für den Shop ist %',
    'Le jeton d’accès est %',
    'Der API-Schlüssel lautet %',
    'Токен: %',
    'The key for the sandbox is %',
    'Das Geheimnis ist %',
    '% is my API key',
    '`%` is the secret key for staging',
    'the token was changed to % yesterday',
  ]) {
    it(`are found: ${sentence}`, () => {
      const expected = sentence.replace('%', '[redacted]');
      const text = sentence.replace('%', () => token);
      assert.equal(redactor.line(text), expected);
      assert.equal(redactor.line(JSON.stringify({ a: JSON.stringify({ text }) })).includes(token), false);
    });
  }

  for (const sentence of [
    'password is %',
    'The password was reset to % yesterday',
    '% is the password for the staging database.',
    'Login credentials are anna / %',
    'sftp password for deploy is %',
    'Password for user deploy is: %',
    'The wifi password here is %',
    'the new DB password is now %',
    'the password is (%)',
    'the password (%) is wrong',
    'log in with the password "%", please',
    'Use admin with password % to log in.',
    'I changed the password from % again',
    'the password (e.g. %)',
    'A temporary password is generated for root@localhost: %',
    'Bitte das Kennwort % verwenden.',
    'pw: %',
    'Use the following password to sign in:\n\n%\n',
    'mit dem Passwort (%) anmelden',
    'mit dem Passwort „%“',
    'le mot de passe (%)',
    'das Passwort lautet %',
    'le mot de passe est %',
    'la contraseña de la base es %',
    'A senha do banco é %',
    'пароль: %',
  ]) {
    it(`are found, as a password: ${sentence}`, () => {
      for (const value of [password, token]) {
        assert.equal(redactor.line(sentence.replace('%', () => value)), sentence.replace('%', '[redacted]'));
      }
    });
  }

  for (const sentence of [
    "I'll use the token % to authenticate.",
    'Secret token (%) stored.',
    'the API key % was rejected',
    'AUTH %',
  ]) {
    it(`are found, even if they are short: ${sentence}`, () => {
      assert.equal(redactor.line(sentence.replace('%', 'Ty6uIo9pLk')), sentence.replace('%', '[redacted]'));
    });
  }

  for (const sentence of [
    'verification code: %',
    'Your verification code is %.',
    'Your one-time code is % now',
    'The security code is: %',
    '% is the verification code',
    'MFA code % accepted',
    '2FA code: %',
    'OTP: %',
    '{"otp_code":"%"}',
    'mfa_token=%',
    'Your PIN: %',
    'The PIN is %',
    'Bestätigungscode: %',
    'Ihr Sicherheitscode lautet %',
  ]) {
    it(`are found, as a code that is used once: ${sentence}`, () => {
      const expected = sentence.replace('%', '[redacted]');
      for (const form of [(text: string) => text, (text: string) => JSON.stringify({ text })]) {
        assert.equal(redactor.line(form(sentence.replace('%', '482719'))), form(expected));
      }
      assert.equal(redactor.line('Recovery code: K7QM-2ZRT-4LPX'), 'Recovery code: [redacted]');
    });
  }

  keeps([
    'Your verification code expires in 10 minutes, enter it within 120000 ms.',
    'First copy your one-time code: WDJB-MJHT, enter code WDJB-MJHT at https://example.com/device',
    'exit code 137, error code: 500123, status code is 200404, zip code 80331',
    'OTP: enabled, OTP length 6, otp: 6, PIN 13, PIN: 4, the PIN is required, pin 4827, MAPPING: 4827',
    'function code: 4827, source code 20261129, Bestätigungscode: fehlt, access code: src/app.ts:4827',
    'The password is base64 encoded',
    'password is stored as sha256',
    'The password is required for user bob2',
    'password for the database is in .env.local',
    'das Passwort ist zu kurz: mindestens 12 Zeichen',
    'le mot de passe est obligatoire',
    'token is valid until 2026-12-01T10:00:00Z',
    'token for model claude-sonnet-4-20250514 is set',
    'Token usage for session 019a9f1e-5b1c-7c3e-9d55-2f6a1b7c8d9e: 48213',
    'Token refreshed for user: 507f1f77bcf86cd799439011',
    'key for commit: 3f9a8c1d2e4b5a6978877665544332211009f8e7',
    'no token toolu_01A2B3C4D5E6F7G8H9 is known',
    'the token (see docs), a secret (optional), the password (required)',
    'the token (3f9a8c1d2e4b5a6978877665544332211009f8e7)',
    'token (call_AbC123dEf456GhI789jKl012) is unknown',
    'the token (RequestId: Ab3dEf5678GhIj9kLmN0)',
    'token for request (Ab3dEf5678GhIj9kLmN0)',
    'token of the model (claude-Sonnet-4-20250514)',
    'the API key (v2.1.0-beta.3), at https://docs.example.com/Api2Key3/Get4',
    'password (OAuth2.0), password (AES-256-GCM), password "base64"',
    'await verifyToken(decodeBase64(value1), key2)',
    'refreshToken(req.body2), getToken(value)',
    "the password in 'config/prod2.yml' is wrong",
    'the password for "deploy01" is wrong',
    'the password is (3f9a8c1d2e4b5a6978877665544332211009f8e7)',
    'token budget for gpt-4.1-mini-2025-04-14: 200000',
    'JWT token (RS256/ES256/PS256/EdDSA1), token (HS256|HS384|HS512)',
    'the key (Ctrl+Shift+P), key (user.id), the key (ArrowUp), the cache key (Linux-npm-7bFq2XzT9mLk4VwR)',
    'a secret (e.g. AWS Secrets Manager), an API key (e.g. OPENAI_API_KEY)',
    'hashed with password OAuth2Provider, the password bcrypt2Hash',
    'the secret is stored at projects/123/secrets/db-password/versions/3',
    'Secret my-app-token-7d9f8b6c5d-x2k4q created',
    'The authorization code has expired, zip code: 80331',
    'my key: value pairs, your key is accepted, 3 requests left',
    '密码是必须的，请联系管理员',
    'Unexpected token Ty6uIo9pLk, the token Sha256Digest, key ArrowUp1',
    'the key for the cache is b7Fq2XzT9mLk4VwR',
    'v2.1.0-beta.3 is the token type, user1234 is the password field, docs/Api2Key3/Get4.md is your key',
    'the password was changed to a longer one, credentials are required / missing',
  ]);
});
