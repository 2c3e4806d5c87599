/** How long something may take before it is reported, in milliseconds. It is reported again each time the wait doubles. */
export interface Timeouts {
  /** A request other than a turn. */
  readonly answer: number;
  /** A turn without activity. */
  readonly turn: number;
  /** A turn of a JSON stream, which may report a message only when it is complete, and a turn that waits for the client. */
  readonly slow: number;
  /** A turn without activity while a tool runs, or a tool call (MCP). */
  readonly tool: number;
  /** A question to the user. */
  readonly person: number;
}

const minute = 60_000;

/** Waits for a tool or for the user are mentioned in a notice when this part of their time has passed. */
export const mentionedAfter = 1 / 4;

export const defaultTimeouts = timeoutsFor(minute);

/**
 * @param turn how long a turn may be silent, in milliseconds; other requests get half of it, JSON streams five times as much
 * @param tool how long a tool may run without activity, in milliseconds: longer than any build
 */
export function timeoutsFor(turn: number, tool = 20 * minute): Timeouts {
  return { answer: turn / 2, turn, slow: turn * 5, tool, person: 20 * minute };
}
