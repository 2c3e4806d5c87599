/** A row of the results. */
export interface Row {
  readonly what: string;
  /** The measured value, and what it's compared with. */
  readonly measured: string;
  readonly goal: string;
  readonly reached: boolean;
  /** Our speed relative to an older build's, in the same run. */
  readonly older?: { readonly ratio: number; readonly goal: number };
}

export interface FigureOptions {
  /** A tenth of the work in a single run: checks that the benchmark works, not how fast. */
  readonly quick: boolean;
  readonly rounds: number;
  /** The folder of an older checkout to compare with. */
  readonly against?: string | undefined;
}

export type Figure = (options: FigureOptions) => Promise<readonly Row[]>;

/** @param byCpu the ratio in CPU time, which other load on the machine doesn't distort */
export function atLeast(what: string, value: number, goal: number, details: string, byCpu?: number): Row {
  const cpu = byCpu === undefined ? '' : `, by CPU time ${byCpu.toFixed(2)} ×`;
  return { what, measured: `${value.toFixed(2)} ×${cpu} (${details})`, goal: `≥ ${goal}`, reached: value >= goal };
}

export function atMost(what: string, value: number, goal: number, unit: string, details = ''): Row {
  const digits = value < 10 ? 1 : 0;
  const measured = `${value.toFixed(digits)} ${unit}${details === '' ? '' : ` (${details})`}`;
  return { what, measured, goal: `≤ ${goal} ${unit}`, reached: value <= goal };
}
