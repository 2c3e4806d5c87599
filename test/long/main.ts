// The property tests with many more cases and a new seed every time: `npm run test:long`.
//   npm run test:long -- 100                        100 times as many cases as `npm test` (default: 25 times)
//   AGENT_LOGS_SEED=7 npm run test:long             repeats the run with this seed
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Mocha from 'mocha';
import { textTable } from '../faults/report';
import { mutatedFindings } from './diagnosisMutations';

const defaultFactor = 25;
const wantedCases = 100_000;
/** The share of findings that must survive a mutation. */
const leastLeft = 0.9;

interface Ran {
  readonly property: string;
  readonly cases: number;
  readonly ms: number;
  readonly passed: boolean;
}

async function main(): Promise<number> {
  const factor = Number(process.argv[2] ?? defaultFactor);
  const seed = Number(process.env['AGENT_LOGS_SEED'] ?? Date.now() % 2 ** 31);
  process.env['AGENT_LOGS_CASES'] = String(factor);
  process.env['AGENT_LOGS_SEED'] = String(seed);
  console.log(`seed ${seed}: AGENT_LOGS_SEED=${seed} npm run test:long -- ${factor} runs the same again`);

  const folder = resolve('test/unit');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(
      (path) => path.endsWith('.test.ts') && /\/support\/(?:property|doubling)'/.test(readFileSync(path, 'utf8')),
    );
  const mocha = new Mocha({ reporter: 'dot' });
  for (const path of files.sort()) mocha.addFile(path);
  const ran = await run(mocha);
  const all = ran.reduce((sum, { cases }) => sum + cases, 0);
  const head = ['property', 'cases', 'time', 'verdict'];
  const rows = ran.map(({ property, cases, ms, passed }) => [
    property,
    String(cases),
    `${(ms / 1000).toFixed(1)} s`,
    passed ? 'holds' : 'FAILED',
  ]);
  console.log(`${textTable([head, ...rows])}\n`);
  const failed = ran.filter(({ passed }) => !passed).length;
  console.log(`${all} cases of ${ran.length} properties with seed ${seed}: ${failed} failed`);
  if (factor >= defaultFactor && all < wantedCases) console.log(`There must be at least ${wantedCases} cases.`);
  const isRobust = printMutations();
  return failed === 0 && isRobust && (factor < defaultFactor || all >= wantedCases) ? 0 : 1;
}

/** Checks that nine in ten findings of the labeled recordings survive changed words, codes and field names. */
function printMutations(): boolean {
  const results = mutatedFindings();
  for (const { mutation, expected, left } of results) {
    console.log(`diagnosis with other ${mutation}: ${left} of ${expected} findings left`);
  }
  return results.every(({ expected, left }) => left >= leastLeft * expected);
}

/** Runs all tests and returns the results of the properties among them. */
async function run(mocha: Mocha): Promise<readonly Ran[]> {
  await mocha.loadFilesAsync();
  const ran: Ran[] = [];
  await new Promise<void>((done) => {
    const runner = mocha.run(() => done());
    runner.on('test end', (test) => {
      const cases = 'cases' in test && typeof test.cases === 'number' ? test.cases : 0;
      const passed = test.state === 'passed';
      if (cases > 0 || !passed) ran.push({ property: test.fullTitle(), cases, ms: test.duration ?? 0, passed });
    });
  });
  return ran;
}

void main().then((code) => process.exit(code));
