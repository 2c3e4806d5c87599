/** Uses the nearest rank, so the result is a value that occurred. @param sorted in ascending order */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
