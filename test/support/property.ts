import fc from 'fast-check';

/** `npm run test:long` multiplies the number of cases by this, and uses new seeds. */
const factor = Number(process.env['AGENT_LOGS_CASES'] ?? 1);
/** A fixed seed by default. */
const seed = Number(process.env['AGENT_LOGS_SEED'] ?? 20_261_120);

/**
 * Defines the test of a property with a number of cases, and many more in the long run. A failure prints the seed;
 * `AGENT_LOGS_SEED=… npm run test:long` repeats the run.
 */
export function holds<T>(what: string, cases: number, property: fc.IRawProperty<T>): void {
  it(what, async function () {
    this.timeout(60_000 * factor);
    const details = await fc.check(property, { numRuns: Math.ceil(cases * factor), seed });
    // The long run prints the count.
    Object.assign(this.test ?? {}, { cases: details.numRuns });
    if (details.failed) {
      throw new Error(`${await fc.asyncDefaultReportMessage(details)}\n${String(details.errorInstance)}`);
    }
  });
}
