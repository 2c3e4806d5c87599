import { duration } from '../../src/text/text';
import { printTable } from '../support/printTable';
import type { ScenarioResult } from './runScenario';

/** Prints a table of the results, and the number of checks that passed and failed. */
export function printResults(results: readonly ScenarioResult[]): void {
  const head = ['Agent', 'Version', 'Scenario', 'Checks', 'Records by kind', 'Time', 'Steps'];
  console.log('');
  printTable([head, ...results.map(row)]);
  const checks = results.reduce((sum, result) => sum + result.checks.length, 0);
  const failed = results.reduce((sum, result) => sum + failures(result).length, 0);
  console.log(`\nChecks: ${checks - failed} passed, ${failed} failed`);
}

/** The failed checks of a scenario, with what was found instead. */
export function failures({ checks }: ScenarioResult): readonly string[] {
  return checks
    .filter(({ passed }) => !passed)
    .map(({ what, found }) => (found === undefined ? what : `${what}; found: ${found}`));
}

function row(result: ScenarioResult): string[] {
  const { agent, version, scenario, checks, records, steps, ms } = result;
  const failed = failures(result).length;
  return [
    agent,
    version,
    scenario,
    failed === 0 ? `${checks.length} passed` : `${checks.length - failed} passed, ${failed} FAILED`,
    [...records].flatMap(([kind, count]) => (count > 0 ? `${kind} ${count}` : [])).join(', '),
    duration(ms),
    steps.map((step) => `${step.name} ${duration(step.ms)}`).join(', '),
  ];
}
