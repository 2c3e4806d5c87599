// The client under test: connects to the server of one scenario, logs in if it must, and calls every tool.
import type { OAuthSettings } from '../../src/live/config/launchSpec';
import { HumanError } from '../../src/text/humanError';
import type { AskUser } from '../../src/live/mcp/elicitation';
import { defaultsIn } from '../../src/live/mcp/elicitation';
import { McpLogin } from '../../src/live/mcp/login/mcpLogin';
import type { Run } from '../../src/live/run';
import type { JsonObject } from '../../src/text/json';
import { objectOf, textOf } from '../../src/text/json';
import { start, TestRuns } from '../support/testRun';
import { HeadlessLogin } from '../support/headlessLogin';

/** Documents are fetched by nobody here: the suite compares the address. */
const clientMetadata = 'https://conformance-test.local/client-metadata.json';

async function main(url: string): Promise<void> {
  const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
  const context = objectOf(JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'));
  const oauth = settingsFor(scenario, context);
  const runs = new TestRuns();
  try {
    const run = await connect(runs, url, oauth);
    for (const { name, inputSchema } of await run.listTools()) await run.callTool(name, argumentsFor(inputSchema));
  } finally {
    await runs.end();
  }
}

/** Connects; if the server refuses that, logs in and connects once more, as a user would. */
async function connect(runs: TestRuns, url: string, oauth: OAuthSettings): Promise<Run> {
  const login = new HeadlessLogin('http://localhost:3000/callback');
  const run = (): Run => runs.createRemote(url, { mcp: { login, askUser }, oauth });
  const first = run();
  try {
    await start(first);
    return first;
  } catch (error) {
    if (!(error instanceof HumanError) || !/log in|HTTP 401/.test(error.message)) throw error;
  }
  const spec = { url, headers: {}, oauth, cwd: process.cwd() };
  await new McpLogin('the server', spec, login).logIn();
  const second = run();
  await start(second);
  return second;
}

function settingsFor(scenario: string, context: JsonObject): OAuthSettings {
  const clientId = textOf(context['client_id']) ?? (scenario === 'auth/basic-cimd' ? clientMetadata : undefined);
  const clientSecret = textOf(context['client_secret']);
  const privateKey = textOf(context['private_key_pem']);
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(privateKey !== undefined && { privateKey }),
    ...(scenario.startsWith('auth/client-credentials') && { grant: 'client_credentials' }),
  };
}

/** A user who accepts what the form begins with. */
const askUser: AskUser = (question) => {
  if (question.mode === 'url') return Promise.resolve({ action: 'decline' });
  const content = defaultsIn(question.requestedSchema) as Record<string, string>;
  return Promise.resolve({ action: 'accept', content });
};

/** A value for each property of the schema. */
function argumentsFor(schema: JsonObject): JsonObject {
  const valueFor = (property: unknown): unknown => {
    const { type } = objectOf(property);
    if (type === 'number' || type === 'integer') return 2;
    return type === 'boolean' ? true : type === 'string' ? 'text' : {};
  };
  const properties = Object.entries(objectOf(schema['properties']));
  return Object.fromEntries(properties.map(([name, property]) => [name, valueFor(property)]));
}

// The suite only kills the shell that started this.
setTimeout(() => process.exit(2), 45_000).unref();
main(process.argv[2] ?? '').catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
