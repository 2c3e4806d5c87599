// The product from end to end, on this system: plays every scenario and writes what happened as JSON to the report file.
//
//   main REPORT COMMANDS      COMMANDS: the folder of the commands that scenarios start
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from '../support/cli';
import { isWine } from '../support/platform';
import { TestRuns } from '../support/testRun';
import { agentScenarios } from './agents';
import { commandScenarios } from './commands';
import type { Report, Scenario, ScenarioResult, Stage } from './scenario';
import { tapScenarios } from './taps';

const scenarioTimeout = 60_000;

async function play(scenario: Scenario, stage: Omit<Stage, 'runs'>): Promise<ScenarioResult> {
  if (isWine && scenario.notUnderWine !== undefined) return { type: 'skipped', reason: scenario.notUnderWine };
  const runs = new TestRuns();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${scenarioTimeout / 1000} s`)), scenarioTimeout);
  });
  try {
    return { type: 'played', lines: await Promise.race([scenario.play({ ...stage, runs }), timeout]) };
  } catch (error) {
    return { type: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    clearTimeout(timer);
    await runs.end();
    stage.cli.end();
  }
}

async function main([report, commands]: readonly string[]): Promise<void> {
  if (report === undefined || commands === undefined) throw new Error('Usage: main REPORT COMMANDS');
  const cli = new CliHarness();
  await cli.build();
  const stage = { cli, sampleAgent: join(cli.folder, 'sampleAgent.js'), commands };
  const results: Record<string, ScenarioResult> = {};
  for (const scenario of [...agentScenarios, ...tapScenarios, ...commandScenarios]) {
    results[scenario.name] = await play(scenario, stage);
  }
  await cli.remove();
  writeFileSync(report, JSON.stringify(results satisfies Report, null, 2));
}

main(process.argv.slice(2)).then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
