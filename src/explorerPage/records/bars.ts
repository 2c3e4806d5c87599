/** Heights of the parts of one bar, from the bottom. */
export interface Bar {
  readonly quiet: number;
  readonly warning: number;
  readonly error: number;
}

const levelCount = 8;
const firstWarning = 3;
const firstError = 4;
/** Minimum height, so that a single error among thousands of records is visible. */
const least = 2;

/**
 * Bars of a histogram, linear in the counts.
 * @param counts eight for each bar, by level from `debug` on
 * @param height of the highest bar
 */
export function barsOf(counts: Uint32Array, height: number): readonly Bar[] {
  const sums: Bar[] = [];
  for (let at = 0; at < counts.length; at += levelCount) {
    const sum = (from: number, to: number): number => counts.subarray(at + from, at + to).reduce((a, b) => a + b, 0);
    sums.push({
      quiet: sum(0, firstWarning),
      warning: sum(firstWarning, firstError),
      error: sum(firstError, levelCount),
    });
  }
  const most = Math.max(1, ...sums.map(({ quiet, warning, error }) => quiet + warning + error));
  return sums.map(({ quiet, warning, error }) => {
    const problem = (count: number): number => (count === 0 ? 0 : Math.max(least, (count / most) * height));
    const red = problem(error);
    const yellow = Math.min(problem(warning), height - red);
    return {
      error: red,
      warning: yellow,
      quiet: Math.min(quiet === 0 ? 0 : Math.max(1, (quiet / most) * height), height - red - yellow),
    };
  });
}
