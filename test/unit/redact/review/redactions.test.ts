import * as assert from 'node:assert/strict';
import { redactionsIn } from '../../../../src/redact/review/redactions';
import { Redactor } from '../../../../src/redact/redactor';
import { inEnglish } from '../../../../src/text/translator';
import { hostileTexts, takesLinearTime } from '../../../support/doubling';

const redactor = new Redactor({ secrets: ['a-secret-of-the-environment'], patterns: [/customer-\d+/g] });
const token = 'Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3';

describe('redactions', () => {
  const rows: readonly (readonly [string, string])[] = [
    [`{"apiKey":"${token}"}`, 'Value of apiKey'],
    [`export DB_PASSWORD=${token}`, 'Value of DB_PASSWORD'],
    [`mysql --password ${token}`, 'Value of password'],
    [`sk-ant-api03-${token}`, 'Anthropic token'],
    [`it is ghp_${token.slice(0, 36)}`, 'GitHub token'],
    [`Authorization: Bearer ${token}`, 'Bearer authorization'],
    [`postgres://me:${token}@localhost/db`, 'Password in a URL'],
    [`-----BEGIN RSA PRIVATE KEY-----\\n${'MIIEowIBAAKCAQEA'.repeat(4)}\\n`, 'Private key'],
    ['it used a-secret-of-the-environment', 'Other secret'],
    ['for customer-123', 'Other secret'],
  ];
  for (const [line, expected] of rows) {
    it(`names ${expected}`, () => {
      const text = redactor.line(line);
      assert.deepEqual(redactionsIn(text).map(inEnglish), [expected], text);
    });
  }

  it('names the field of a value', () => {
    assert.deepEqual(redactionsIn('[redacted]', 'client_secret').map(inEnglish), ['Value of client_secret']);
    assert.deepEqual(redactionsIn('[redacted]', 'text').map(inEnglish), ['Other secret']);
  });

  takesLinearTime('takes linear time on hostile texts', (text) => void redactionsIn(text), [
    ...hostileTexts(),
    ...hostileTexts(['[redacted]', 'token=…[redacted]', '…', 'KEY-----…[redacted]', 'a.[redacted]']),
  ]);
});
