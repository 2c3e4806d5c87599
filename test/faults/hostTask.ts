import type { Termination } from '../../src/log/termination';

/** What a host has to do. */
export interface HostTask {
  readonly agent: string;
  readonly script: string;
  readonly args: readonly string[];
  /** The agent's `HOME`, by which its processes are found. */
  readonly home: string;
  readonly journals: string;
  readonly maxFileSize: number;
  /** The user that it becomes. */
  readonly uid?: number;
}

/** A line of what a host tells: at first the agent's process, at last what came of the run. */
export type HostReport =
  | { readonly pid: number }
  | {
      readonly termination: Termination;
      readonly problems: readonly string[];
      readonly missing: number;
      readonly logged: number;
    };
