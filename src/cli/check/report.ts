import type { LineRedactor } from '../../runLog/reading/redactEvent';
import { redactedLine } from '../../runLog/reading/redactEvent';
import type { Outcome } from './evaluate';

/** What was found in one run. */
export interface RunOutcomes {
  /** Its name. */
  readonly run: string;
  /** What of it isn't known: `2 lines cannot be read`. */
  readonly missing: readonly string[];
  readonly outcomes: readonly Outcome[];
}

/** Lines for people: what failed comes with what shows it. */
export function textReport(results: readonly RunOutcomes[]): readonly string[] {
  const all = results.flatMap(({ outcomes }) => outcomes);
  const failed = all.filter(({ passed }) => !passed).length;
  return [
    ...results.flatMap(({ run, missing, outcomes }) => [
      ...(results.length > 1 ? [`${run}:`] : []),
      ...missing.map((what) => `note  not everything was read: ${what}`),
      ...outcomes.flatMap(lines),
    ]),
    failed === 0 ? `${counted(all.length)} passed.` : `${failed} of ${counted(all.length)} failed.`,
  ];
}

function lines({ title, passed, found, evidence }: Outcome): readonly string[] {
  return [`${passed ? 'ok  ' : 'FAIL'}  ${title}: ${found}`, ...evidence.map(({ line }) => `      ${line}`)];
}

function counted(count: number): string {
  return count === 1 ? '1 check' : `${count} checks`;
}

/** One JSON object. */
export function jsonReport(results: readonly RunOutcomes[]): string {
  const checks = results.flatMap(({ run, outcomes }) =>
    outcomes.map(({ title, passed, found, evidence }) => ({
      run,
      name: title,
      passed,
      found,
      ...(evidence.length > 0 && { evidence: evidence.map(({ data }) => data) }),
    })),
  );
  const missing = results.flatMap(({ run, missing: gaps }) => gaps.map((what) => ({ run, what })));
  const passed = checks.every((check) => check.passed);
  return JSON.stringify({ passed, checks, ...(missing.length > 0 && { missing }) });
}

/** JUnit's XML, as CI systems read it: a suite for each run. */
export function junitReport(results: readonly RunOutcomes[], redactor: LineRedactor): string {
  const shown = (text: string): string => escaped(redactedLine(text, redactor));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...results.flatMap((one) => suite(one, shown)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite({ run, missing, outcomes }: RunOutcomes, shown: (text: string) => string): readonly string[] {
  const failures = outcomes.filter(({ passed }) => !passed).length;
  const cases = outcomes.flatMap(({ title, passed, found, evidence }) => {
    const opening = `    <testcase classname="${shown(run)}" name="${shown(title)}"`;
    if (passed) return [`${opening}/>`];
    const text = shown(evidence.map(({ line }) => line).join('\n'));
    return [`${opening}>`, `      <failure message="${shown(found)}">${text}</failure>`, '    </testcase>'];
  });
  const counts = `tests="${outcomes.length}" failures="${failures}" errors="0" skipped="0"`;
  const note = missing.length === 0 ? [] : [`    <system-err>${shown(missing.join('\n'))}</system-err>`];
  return [`  <testsuite name="${shown(run)}" ${counts}>`, ...cases, ...note, '  </testsuite>'];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
