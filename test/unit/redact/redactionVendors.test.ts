import assert from 'node:assert/strict';
import { Redactor } from '../../../src/redact/redactor';
import { facts } from '../../redaction/facts';
import { Random } from '../../redaction/random';
import { ofShape } from '../../redaction/shape';
import { hidesAs, keeps } from '../../support/redactionRows';

const redactor = new Redactor();

/** Tokens that nothing but their own form gives away. */
const rules = [
  ...'google-oauth-refresh-token-current fireworks-api-key together-api-key-v1 cursor-api-key e2b-api-key'.split(' '),
  ...'modal-token neon-api-key posthog-personal-api-key render-api-key datadog-personal-token'.split(' '),
  ...'buildkite-user-token circleci-token hubspot-private-app contentful-personal-token'.split(' '),
  ...'jetbrains-permanent-token braintree-access-token paypal-access-token stripe-organization-key'.split(' '),
  ...'aws-session-token azure-devops-pat discord-bot-token dropbox-short-lived-token-current'.split(' '),
  ...'llamacloud-api-key voyage-api-key jina-api-key runpod-api-key cartesia-api-key amp-access-token'.split(' '),
  ...'factory-api-key wandb-api-key-v1 volcengine-ark-key context7-api-key browserbase-api-key'.split(' '),
  ...'browser-use-api-key daytona-api-key apify-api-token inngest-signing-key stytch-secret'.split(' '),
  ...'polar-access-token cal-api-key socket-api-token'.split(' '),
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
    ['https://mcp.zapier.com/api/mcp/s/Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFg/', 'https://mcp.zapier.com/api/mcp/s/…[redacted]/'],
    ['co = cohere.ClientV2("Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eUqW5tXo0i")', 'co = cohere.ClientV2("[redacted]")'],
    ['ExponentPushToken[Zk3vQ9xT7mB2pLw8RnYc4H]', 'ExponentPushToken[…[redacted]]'],
  ] as const) {
    hidesAs(text, [[text, expected]]);
  }

  keeps([
    'API_KEY=${API_KEY:?must be set}',
    'see pat-na1-documentation',
    'the sl.Button and ak-prefix',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, sk-ant-xxxxxxxxxxxxxxxxxxxx, AKIAXXXXXXXXXXXXXXXX, hf_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
    'export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    '{"apiKey":"sk-ant-your-api-key-here","token":"glpat-xxxxxxxxxxxxxxxxxxxx"}',
    'OPENAI_API_KEY=sk-...your-key-here..., GROQ_API_KEY=gsk_…, SLACK_BOT_TOKEN=xoxb-0000000000-xxxxxxxxxxxx',
    'IDENTITY_TOKEN=ohwx, {"identity_token":"sks person"}, CLASS_TOKEN=toy',
    'kubectl logs fk-orders-service-7d9f8b6c5d-x2k4q and pa-payments-worker-5f6d7c8b9-abcde-canary-blue',
    'llx-config --help, act1_scene_the_forest_at_night, hf_hub_download_with_retries, jina_embeddings_client',
  ]);
});
