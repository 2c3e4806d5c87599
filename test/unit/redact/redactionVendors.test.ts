import assert from 'node:assert/strict';
import { Redactor } from '../../../src/redact/redactor';
import { facts } from '../../redaction/facts';
import { Random } from '../../redaction/random';
import { ofShape } from '../../redaction/shape';

const redactor = new Redactor();

/** Tokens that nothing but their own form gives away. */
const rules = [
  'google-oauth-refresh-token-current',
  'fireworks-api-key',
  'together-api-key-v1',
  'cursor-api-key',
  'e2b-api-key',
  'modal-token',
  'neon-api-key',
  'posthog-personal-api-key',
  'render-api-key',
  'datadog-personal-token',
  'buildkite-user-token',
  'circleci-token',
  'hubspot-private-app',
  'contentful-personal-token',
  'jetbrains-permanent-token',
  'braintree-access-token',
  'paypal-access-token',
  'stripe-organization-key',
  'aws-session-token',
  'azure-devops-pat',
  'discord-bot-token',
  'dropbox-short-lived-token-current',
];

describe('redaction of tokens without a name', () => {
  for (const { rule, shape } of facts.filter((fact) => rules.includes(fact.rule))) {
    it(`finds: ${rule}`, () => {
      const random = new Random(3);
      for (let n = 0; n < 20; n++) {
        const token = ofShape(shape, random);
        for (const text of [`Found ${token} in the history`, JSON.stringify({ text: `a\n${token}` })]) {
          assert.equal(redactor.line(text).includes(token.slice(-16)), false, text);
        }
      }
    });
  }

  for (const [text, expected] of [
    [
      'https://mcp.zapier.com/api/mcp/s/Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFg/mcp',
      'https://mcp.zapier.com/api/mcp/s/…[redacted]/mcp',
    ],
    ['co = cohere.ClientV2("Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eUqW5tXo0i")', 'co = cohere.ClientV2("[redacted]")'],
    ['ExponentPushToken[Zk3vQ9xT7mB2pLw8RnYc4H]', 'ExponentPushToken[…[redacted]]'],
  ] as const) {
    it(`finds: ${text}`, () => {
      assert.equal(redactor.line(text), expected);
    });
  }

  for (const text of ['API_KEY=${API_KEY:?must be set}', 'see pat-na1-documentation', 'the sl.Button and ak-prefix']) {
    it(`leaves alone: ${text}`, () => {
      assert.equal(redactor.line(text), text);
    });
  }
});
