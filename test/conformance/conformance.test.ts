// Runs the client scenarios of the official MCP conformance suite against our MCP client, outside VS Code: `npm run test:conformance`, or
// `npm run test:conformance -- -g auth/scope-step-up` for one. Mocha waits (`--delay`) until the suite is installed and has
// listed its scenarios; `--fail-zero` would count the tests before that.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Installer } from '../agents/install';

/** The last version that has servers for all protocol revisions up to 2025-11-25. It needs a newer Node than the extension. */
const suite = {
  name: 'mcp-conformance',
  package: '@modelcontextprotocol/conformance',
  version: '0.1.16',
  program: 'conformance',
  needsNewerNode: true,
} as const;

/** Scenarios that fail, and why that is right. */
const byDesign: ReadonlyMap<string, string> = new Map([
  [
    'auth/2025-03-26-oauth-metadata-backcompat',
    'its metadata names an issuer other than where it is found, which RFC 8414, section 3.3 says to refuse',
  ],
  [
    'auth/cross-app-access-complete-flow',
    "needs an ID token of the company's identity provider, which a log viewer doesn't have",
  ],
]);

const timeout = 60_000;

interface Ran {
  readonly passed: boolean;
  readonly output: string;
}

type Suite = (...args: readonly string[]) => Promise<Ran>;

async function installed(): Promise<Suite> {
  const { command, args } = await new Installer(join(__dirname, '../../.agents')).install(suite);
  return (...more) =>
    new Promise((resolve) => {
      execFile(command, [...args, ...more], { timeout: 2 * timeout, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) =>
        resolve({ passed: error === null, output: `${out}\n${err}` }),
      );
    });
}

async function scenarios(runSuite: Suite): Promise<readonly string[]> {
  const { output } = await runSuite('list', '--client');
  const [, list = ''] = output.split(/^Client scenarios.*$/m);
  const names = [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`The suite lists no client scenarios:\n${output}`);
  return names;
}

function defineTests(runSuite: Suite, names: readonly string[]): void {
  describe('MCP conformance', function () {
    this.timeout(3 * timeout);
    const client = `"${process.execPath}" --import tsx "${join(__dirname, 'client.ts')}"`;
    let results = '';
    let passes = 0;
    let failures = 0;

    before(() => (results = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))));
    after(() => {
      rmSync(results, { recursive: true, force: true });
      console.log(`\nScenarios of the suite: ${passes} passed, ${failures} failed`);
    });

    for (const name of names) {
      const reason = byDesign.get(name);
      it(reason === undefined ? name : `${name} fails by design: ${reason}`, async () => {
        const options = ['--command', client, '--scenario', name, '--timeout', `${timeout}`, '-o', results];
        const { passed, output } = await runSuite('client', ...options);
        if (passed) passes++;
        else failures++;
        assert.equal(passed, reason === undefined, reason === undefined ? output : 'It no longer fails.');
      });
    }
  });
}

void (async () => {
  try {
    const runSuite = await installed();
    defineTests(runSuite, await scenarios(runSuite));
    run();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
})();
