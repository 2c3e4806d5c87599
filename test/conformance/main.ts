// Runs the client scenarios of the official MCP conformance suite against our MCP client, outside VS Code.
// With names of scenarios, only those, with what the suite prints about them.
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

async function main(names: readonly string[]): Promise<number> {
  const { command, args } = await new Installer(join(__dirname, '../../.agents')).install(suite);
  const results = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const run: Suite = (...more) =>
    new Promise((resolve) => {
      execFile(command, [...args, ...more], { timeout: 2 * timeout, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) =>
        resolve({ passed: error === null, output: `${out}\n${err}` }),
      );
    });
  try {
    return await runAll(names.length > 0 ? names : scenariosIn((await run('list', '--client')).output), run, results);
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** Returns the exit code. */
async function runAll(names: readonly string[], run: Suite, results: string): Promise<number> {
  const client = `"${process.execPath}" --import tsx "${join(__dirname, 'client.ts')}"`;
  let passed = 0;
  let unexpected = 0;
  for (const name of names) {
    const ran = await run('client', '--command', client, '--scenario', name, '--timeout', `${timeout}`, '-o', results);
    const reason = byDesign.get(name);
    if (ran.passed) passed++;
    if (ran.passed === (reason !== undefined)) unexpected++;
    const note = reason === undefined ? '' : ran.passed ? ' (no longer fails: take it off the list)' : `: ${reason}`;
    console.log(`${ran.passed ? 'passed' : 'failed'}  ${name}${note}`);
    if (!ran.passed && reason === undefined) console.log(ran.output.replace(/^/gm, '        '));
  }
  console.log(`${passed} passed, ${names.length - passed} failed`);
  return unexpected === 0 && names.length > 0 ? 0 : 1;
}

function scenariosIn(listing: string): string[] {
  const [, list = ''] = listing.split(/^Client scenarios.*$/m);
  return [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name);
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 2;
  },
);
