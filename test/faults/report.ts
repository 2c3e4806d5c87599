/** A row of the table. */
export interface Row {
  readonly fault: string;
  readonly sent: string;
  readonly lost: number;
  readonly left: number;
  readonly verdict: string;
}

/** Formats the outcomes as a table. */
export function table(rows: readonly Row[]): string {
  const head = ['fault', 'what was sent', 'records lost', 'processes left', 'verdict'];
  return textTable([
    head,
    ...rows.map(({ fault, sent, lost, left, verdict }) => [fault, sent, String(lost), String(left), verdict]),
  ]);
}

/** Aligns cells in columns. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
