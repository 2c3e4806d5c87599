/** How long something may take before it is told of, in milliseconds. It is told again each time that it took twice as long. */
export interface Patience {
  /** A request that is no turn. */
  readonly answer: number;
  /** A turn in which nothing comes. */
  readonly turn: number;
  /** A turn in which nothing comes while a tool runs, and a call of a tool (MCP). */
  readonly tool: number;
}

export const defaultPatience = patienceFor(60_000);

/** @param turn how long a turn may be silent, in milliseconds: other requests get half of it, and a tool that runs five times as much */
export function patienceFor(turn: number): Patience {
  return { answer: turn / 2, turn, tool: turn * 5 };
}
