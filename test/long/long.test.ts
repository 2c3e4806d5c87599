// The property tests and the doubling tests with many more cases and a new seed every time: `npm run test:long`, `-- -g redact` for a part.
//   AGENT_LOGS_CASES=100     100 times as many cases as `npm test` (default: 25 times)
//   AGENT_LOGS_SEED=7        repeats the run with this seed
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printTable } from '../support/printTable';

/** Number of cases of a run with the default factor. */
const wantedCases = 100_000;

const factor = (process.env['AGENT_LOGS_CASES'] ??= '25');
const seed = (process.env['AGENT_LOGS_SEED'] ??= String(Date.now() % 2 ** 31));

interface Ran {
  readonly title: string;
  readonly cases: number;
  readonly ms: number;
  readonly passed: boolean;
}

/** The unit tests with a property or a doubled text; the other tests of these files run too. */
function testFiles(): readonly string[] {
  const folder = resolve('test/unit');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.test.ts') && /\/support\/(?:property|doubling)'/.test(readFileSync(path, 'utf8')))
    .sort();
}

function print(ran: readonly Ran[]): void {
  const rows = ran.map(({ title, cases, ms, passed }) => [
    title,
    String(cases),
    `${(ms / 1000).toFixed(1)} s`,
    passed ? 'holds' : 'FAILED',
  ]);
  console.log('');
  printTable([['Property', 'Cases', 'Time', 'Verdict'], ...rows]);
  console.log(`\n${casesOf(ran)} cases of ${ran.length} properties with seed ${seed}`);
  console.log(`The same again: AGENT_LOGS_CASES=${factor} AGENT_LOGS_SEED=${seed} npm run test:long`);
}

function casesOf(ran: readonly Ran[]): number {
  return ran.reduce((sum, { cases }) => sum + cases, 0);
}

void (async () => {
  // Loaded only now, because the properties read the variables when they are loaded.
  for (const path of testFiles()) await import(path);
  const ran: Ran[] = [];

  afterEach(function () {
    const test = this.currentTest;
    if (test === undefined || !('cases' in test)) return;
    const { cases } = test as { readonly cases: number };
    ran.push({ title: test.fullTitle(), cases, ms: test.duration ?? 0, passed: test.state === 'passed' });
  });
  after(() => print(ran));

  // In a suite, because mocha runs tests outside of suites first.
  describe('all of that', () => {
    it(`was at least ${wantedCases} cases`, () => {
      if (Number(factor) >= 25) assert.ok(casesOf(ran) >= wantedCases);
    });
  });
  run();
})();
