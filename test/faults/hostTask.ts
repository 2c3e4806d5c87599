import type { Termination } from '../../src/wire/termination';

/** What a host has to do. */
export interface HostTask {
  readonly agent: string;
  readonly script: string;
  readonly args: readonly string[];
  /** The agent's `HOME`, by which its processes are found. */
  readonly home: string;
  readonly journals: string;
  readonly maxFileSize: number;
  /** User ID to switch to. */
  readonly uid?: number;
}

/** A line of a host's output: first the agent's process, last the result of the run. */
export type HostReport =
  | { readonly pid: number }
  | {
      readonly termination: Termination;
      readonly problems: readonly string[];
      readonly missing: number;
      readonly logged: number;
    };
