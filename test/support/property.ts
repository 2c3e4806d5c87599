import fc from 'fast-check';

/** `npm run test:long` multiplies the number of cases by this, and draws others every time. */
const factor = Number(process.env['AGENT_LOGS_CASES'] ?? 1);
/** The same cases every time, unless somebody says otherwise. */
const seed = Number(process.env['AGENT_LOGS_SEED'] ?? 20_261_120);

/**
 * A test of a property: so many cases, and many more in the long run. A failure names the seed; `AGENT_LOGS_SEED=… npm run test:long` is
 * the same run again.
 */
export function holds<T>(what: string, cases: number, property: fc.IRawProperty<T>): void {
  it(what, async function () {
    this.timeout(10_000 * factor);
    const details = await fc.check(property, { numRuns: Math.ceil(cases * factor), seed });
    // The long run counts them.
    Object.assign(this.test ?? {}, { cases: details.numRuns });
    if (details.failed) {
      throw new Error(`${await fc.asyncDefaultReportMessage(details)}\n${String(details.errorInstance)}`);
    }
  });
}
