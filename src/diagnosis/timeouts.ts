/** How long something may take before it is reported, in milliseconds. It is reported again each time the wait doubles. */
export interface Timeouts {
  /** A request other than a turn. */
  readonly answer: number;
  /** A turn without activity. */
  readonly turn: number;
  /** A turn without activity while a tool runs, or a tool call (MCP). */
  readonly tool: number;
}

export const defaultTimeouts = timeoutsFor(60_000);

/** @param turn how long a turn may be silent, in milliseconds; other requests get half of it, running tools five times as much */
export function timeoutsFor(turn: number): Timeouts {
  return { answer: turn / 2, turn, tool: turn * 5 };
}
