/** A row of the table. */
export interface Row {
  readonly what: string;
  /** As measured, and what it was compared with. */
  readonly measured: string;
  readonly goal: string;
  readonly reached: boolean;
}

export interface FigureOptions {
  /** A tenth of the work and a single run: shows that it works, not how fast. */
  readonly quick: boolean;
  readonly rounds: number;
}

export type Figure = (options: FigureOptions) => Promise<readonly Row[]>;

/** @param byCpu the same in CPU time, which other work on the machine does not distort */
export function atLeast(what: string, value: number, goal: number, details: string, byCpu?: number): Row {
  const cpu = byCpu === undefined ? '' : `, by CPU time ${byCpu.toFixed(2)} ×`;
  return { what, measured: `${value.toFixed(2)} ×${cpu} (${details})`, goal: `≥ ${goal}`, reached: value >= goal };
}

export function atMost(what: string, value: number, goal: number, unit: string, details = ''): Row {
  const digits = value < 10 ? 1 : 0;
  const measured = `${value.toFixed(digits)} ${unit}${details === '' ? '' : ` (${details})`}`;
  return { what, measured, goal: `≤ ${goal} ${unit}`, reached: value <= goal };
}
