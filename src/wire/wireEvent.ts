/** Which way a line went: client to agent or agent to client. */
export type WireDirection = 'c2a' | 'a2c';

/** A line of standard input or output. */
export interface WireMessage {
  /** Milliseconds since the epoch. */
  readonly t: number;
  readonly dir: WireDirection;
  /** The line as it crossed, without its line break; its beginning where `bytes` is there. */
  readonly line: string;
  /** The line's JSON value; absent where it is not one. */
  readonly msg?: unknown;
  /** The length of the whole line in bytes, where it was too long to be kept. */
  readonly bytes?: number;
}

/** A line of standard error. */
export interface WireStderr {
  readonly t: number;
  readonly dir: 'err';
  readonly line: string;
  readonly bytes?: number;
}

/** What happens to the process, as far as it concerns the log. */
export type ProcessEvent =
  | { readonly ev: 'spawn'; readonly pid: number; readonly command: readonly string[]; readonly cwd: string }
  | { readonly ev: 'start-failed'; readonly message: string }
  /** Still waiting for an answer, after so many milliseconds. */
  | { readonly ev: 'waiting'; readonly method: string; readonly ms: number }
  | { readonly ev: 'stdin-close' }
  | { readonly ev: 'stdout-close' }
  /** The process is gone, and others of its group are not. */
  | { readonly ev: 'left-behind' }
  | { readonly ev: 'signal'; readonly signal: string }
  | { readonly ev: 'exit'; readonly code: number | null; readonly signal: string | null };

/** An event of the process, on the same clock as the lines. */
export type WireProcessEvent = { readonly t: number; readonly dir: 'ev' } & ProcessEvent;

/** One thing that crossed between client and agent, or befell the process: what everything that is shown is read from. */
export type WireEvent = WireMessage | WireStderr | WireProcessEvent;
