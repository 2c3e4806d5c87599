// Runs inside the extension host: runs the suites that were chosen for this launch.
import Mocha from 'mocha';
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { format } from 'node:util';
import { arePicturesWanted } from './pictures';
import { Workbench } from './workbench';

/** Of a test. Pictures take long. */
const timeoutMs = arePicturesWanted ? 300_000 : 120_000;
const photographMs = 15_000;

export async function run(): Promise<void> {
  try {
    await runSuites();
  } catch (error) {
    print(error instanceof Error ? (error.stack ?? error.message) : error);
    throw error;
  }
}

async function runSuites(): Promise<void> {
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    color: false,
    timeout: timeoutMs,
    // A skipped test must not count as passed.
    forbidOnly: true,
    forbidPending: true,
  });
  Mocha.reporters.Base.consoleLog = print;
  mocha.rootHooks({
    async afterEach(this: Mocha.Context) {
      if (this.currentTest?.state !== 'failed') return;
      // A hanging test must not stop the other suites.
      await Promise.race([photograph(this.currentTest.fullTitle()), delay(photographMs)]);
    },
  });
  if (process.env['AGENT_LOGS_CDP'] !== undefined) await Workbench.attach();
  for (const suite of chosenSuites()) mocha.addFile(suite);

  const began = Date.now();
  const failed: string[] = [];
  const { passes, failures } = await new Promise<Mocha.Stats>((resolve) => {
    const runner = mocha.run(() => {
      resolve(runner.stats!);
    });
    timeFiles(runner);
    runner.on('fail', (test, error: Error) => failed.push(`${test.fullTitle()}\n${error.stack ?? error.message}`));
  });
  print(`All suites: ${seconds(Date.now() - began)}`);
  const report = process.env['AGENT_LOGS_RESULTS'];
  if (report !== undefined) writeFileSync(report, JSON.stringify({ passed: passes, failed }));
  if (failures > 0) throw new Error(`${failures} of ${failures + passes} tests failed.`);
}

/** Prints how long the suites of each file took. */
function timeFiles(runner: Mocha.Runner): void {
  let began = 0;
  runner.on('suite', ({ parent }) => {
    if (parent?.root === true) began = Date.now();
  });
  runner.on('suite end', ({ parent, file = '' }) => {
    if (parent?.root === true) print(`  ${basename(file, '.js')}: ${seconds(Date.now() - began)}`);
  });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function chosenSuites(): string[] {
  const list: unknown = JSON.parse(process.env['AGENT_LOGS_SUITES'] ?? '[]');
  if (!Array.isArray(list)) throw new Error('AGENT_LOGS_SUITES is not a list of paths.');
  return list.map(String);
}

/** Takes a screenshot when a test fails. */
async function photograph(title: string): Promise<void> {
  if (process.env['AGENT_LOGS_CDP'] === undefined) return;
  try {
    const workbench = Workbench.attached;
    const name = `failed ${title.replace(/[^\w.-]+/g, ' ').slice(0, 100)}`;
    await workbench.photograph(name);
    const shown = await workbench.page.locator('.monaco-workbench').innerText();
    print(`    the window then: screenshots/${name}.png, with the texts ${shown.replace(/\s+/g, ' ').slice(0, 2000)}`);
  } catch (error) {
    print('Could not photograph the window:', error);
  }
}

/** Prefix of the reporter's lines, because VS Code mixes its own log into the console. */
function print(...args: unknown[]): void {
  console.log(format(...args).replace(/^/gm, '│ '));
}
