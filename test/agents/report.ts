import { duration } from '../../src/log/text';
import type { ScenarioResult } from './scenarioResult';

/** A text table of the results, followed by the reasons for skipped agents. */
export function table(results: readonly ScenarioResult[]): string {
  const head = ['agent', 'version', 'scenario', 'checks', 'records by kind', 'time', 'steps'];
  const rows = [head, ...results.map(row)];
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const missing = results.filter(({ notRun }) => notRun !== undefined);
  const reasons = missing.map(({ agent, notRun }) => `${agent} was not run: ${notRun ?? ''}`);
  return [...lines, ...reasons].map((line) => line.trimEnd()).join('\n');
}

/** The last line: the number of checks that passed and failed. */
export function summary(results: readonly ScenarioResult[]): string {
  const checks = results.flatMap((result) => result.checks);
  const passed = checks.filter((check) => check.passed).length;
  return `${passed} passed, ${checks.length - passed} failed`;
}

/** The outcome of one scenario, with all failed checks. */
export function outcome(result: ScenarioResult): string {
  if (result.notRun !== undefined) return `  not run: ${result.notRun}`;
  const failed = result.checks.filter((check) => !check.passed);
  const lines = failed.map(
    ({ what, found }) => `    FAILED ${what}${found === undefined ? '' : `\n      found: ${found}`}`,
  );
  return [`  ${result.scenario}: ${verdict(result)} in ${duration(result.ms)}`, ...lines].join('\n');
}

function row(result: ScenarioResult): string[] {
  const { agent, version, scenario, records, steps, ms } = result;
  return [
    agent,
    version,
    scenario,
    verdict(result),
    [...records].map(([kind, count]) => `${kind} ${count}`).join(', '),
    duration(ms),
    steps.map((step) => `${step.name} ${duration(step.ms)}`).join(', '),
  ];
}

function verdict({ notRun, checks }: ScenarioResult): string {
  if (notRun !== undefined) return 'not run';
  const failed = checks.filter((check) => !check.passed).length;
  return failed === 0 ? `${checks.length} passed` : `${checks.length - failed} passed, ${failed} FAILED`;
}
