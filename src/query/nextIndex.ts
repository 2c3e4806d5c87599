/**
 * The position of the next row that fits, or -1.
 * @param from the position to start at; -1 for the first row or the last
 */
export function nextIndex<Row>(rows: readonly Row[], from: number, dir: 1 | -1, fits: (row: Row) => boolean): number {
  return dir === 1
    ? rows.findIndex((row, index) => index > from && fits(row))
    : rows.findLastIndex((row, index) => (from < 0 || index < from) && fits(row));
}

/** The same, wrapping around. */
export function nextAround<Row>(rows: readonly Row[], from: number, dir: 1 | -1, fits: (row: Row) => boolean): number {
  const index = nextIndex(rows, from, dir, fits);
  return index < 0 ? nextIndex(rows, -1, dir, fits) : index;
}
