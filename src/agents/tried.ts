/** What a reader was tried with, for the documents. Without either, it only follows the agent's documentation, code or source. */
export interface Tried {
  /** A version of the agent itself. */
  readonly version?: string;
  /** A version of the agent that others recorded. */
  readonly recorded?: string;
}
