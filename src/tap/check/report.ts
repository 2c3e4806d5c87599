import type { Outcome } from './evaluate';

/** Lines for people: what failed comes with what shows it. */
export function textReport(outcomes: readonly Outcome[]): readonly string[] {
  const failed = outcomes.filter(({ passed }) => !passed).length;
  return [
    ...outcomes.flatMap(({ title, passed, found, evidence }) => [
      `${passed ? 'ok  ' : 'FAIL'}  ${title}: ${found}`,
      ...evidence.map(({ line }) => `      ${line}`),
    ]),
    failed === 0 ? `${counted(outcomes.length)} passed.` : `${failed} of ${counted(outcomes.length)} failed.`,
  ];
}

function counted(count: number): string {
  return count === 1 ? '1 check' : `${count} checks`;
}

/** One JSON object. */
export function jsonReport(run: string, outcomes: readonly Outcome[]): string {
  const checks = outcomes.map(({ title, passed, found, evidence }) => ({
    name: title,
    passed,
    found,
    ...(evidence.length > 0 && { evidence: evidence.map(({ data }) => data) }),
  }));
  return JSON.stringify({ run, passed: outcomes.every(({ passed }) => passed), checks });
}

/** JUnit's XML, as CI systems read it. */
export function junitReport(run: string, outcomes: readonly Outcome[]): string {
  const failures = outcomes.filter(({ passed }) => !passed).length;
  const cases = outcomes.flatMap(({ title, passed, found, evidence }) => {
    const opening = `    <testcase classname="${escaped(run)}" name="${escaped(title)}"`;
    if (passed) return [`${opening}/>`];
    const text = escaped(evidence.map(({ line }) => line).join('\n'));
    return [`${opening}>`, `      <failure message="${escaped(found)}">${text}</failure>`, '    </testcase>'];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="agent-logs" tests="${outcomes.length}" failures="${failures}" errors="0" skipped="0">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
