import type { MissingPart } from '../text/humanError';
import type { Line } from '../text/bytes/line';
import type { Termination } from './termination';

/** The direction of a line: client to agent or agent to client. */
export type WireDirection = 'c2a' | 'a2c';

/** A line of stdin or stdout. `WireLine` implements it with getters, which a spread wouldn't copy. */
export interface WireMessage {
  /** Milliseconds since the epoch. */
  readonly t: number;
  readonly dir: WireDirection;
  /** The line as sent, without its line break. If `bytes` is set: its beginning, or the message with its long strings cut. */
  readonly line: string;
  /** The JSON value of `line`; `undefined` if it isn't JSON. */
  readonly msg?: unknown;
  /** Length of the whole line in bytes, if it was too long to log. */
  readonly bytes?: number | undefined;
  /** How many bytes of that line the pieces before it in the journal contain. */
  readonly kept?: number | undefined;
  /** The bytes of `line`, for callers that don't need its text. */
  readonly source?: Line;
  /** Set by the protocol's reader: a valid log notification, which the client can ignore. */
  isLog?: boolean;
}

/** A line of stderr. */
export interface WireStderr {
  readonly t: number;
  readonly dir: 'err';
  readonly line: string;
  readonly bytes?: number | undefined;
  readonly kept?: number | undefined;
}

/** A piece of a line that is too long to keep in memory. Only written to the journal. */
export interface WirePiece {
  readonly t: number;
  readonly dir: 'a2c' | 'err';
  readonly part: string;
}

/** A change of the process or the connection. */
export type ProcessEvent =
  | { readonly ev: 'spawn'; readonly pid: number; readonly command: readonly string[]; readonly cwd: string }
  | { readonly ev: 'start-failed'; readonly message: string; readonly missing?: MissingPart }
  /** A request hasn't been answered for this many milliseconds. */
  | { readonly ev: 'waiting'; readonly method: string; readonly ms: number }
  | { readonly ev: 'stdin-close' }
  | { readonly ev: 'stdout-close' }
  /** The process has exited, but others that it started are still running. `remaining`: those that could not be ended, by their PIDs. */
  | { readonly ev: 'left-behind'; readonly remaining?: readonly number[] }
  /** This many bytes are missing, because they came faster than they could be written. */
  | { readonly ev: 'skipped'; readonly bytes: number }
  | { readonly ev: 'signal'; readonly signal: string }
  /** The last event: why the run ended, if the exit alone doesn't show it. */
  | {
      readonly ev: 'end';
      readonly reason: Termination['reason'];
      readonly terminatedBy: Termination['terminatedBy'];
      readonly message?: string;
      /** Codes of its message; `['exit']` if that of the exit or disconnect says it. Absent for any other text. */
      readonly why?: Why;
    }
  | { readonly ev: 'exit'; readonly code: number | null; readonly signal: string | null }
  | ConnectionEvent;

/** Why a connection failed or ended: codes, the outermost first. The last may be a text of a server or a library. */
export type Why = readonly string[];

/** A change of an HTTP connection (MCP "Streamable HTTP"), which has no local process. Texts are shown as they are. */
export type ConnectionEvent =
  /** The first event of such a run, like `spawn` of others. */
  | { readonly ev: 'connect'; readonly url: string }
  /**
   * An HTTP request failed. `method` is the HTTP method (`POST`). Without a response there is no `status`, and `message` says why (connection
   * refused, invalid certificate). `requestId` is the JSON-RPC request in its body, which has failed as well.
   */
  | {
      readonly ev: 'http';
      readonly method: string;
      readonly status?: number;
      readonly message: string;
      readonly why?: Why;
      readonly requestId?: string | number;
      /** Without a response: Node's code of the error, such as `ECONNREFUSED`. */
      readonly errorCode?: string;
      /** Whether it failed because the user isn't logged in, and the server offers a login. */
      readonly canLogIn?: boolean;
    }
  /**
   * A stream of messages from the server was closed early: by the server, or by us to cancel the request that it would have answered.
   * `cancels` is the ID of that request (MCP 2026-07-28, "Cancellation").
   */
  | { readonly ev: 'stream-close'; readonly message?: string; readonly cancels?: string | number }
  /** The next attempt to connect starts after this many milliseconds. `attempt` counts from 1. */
  | { readonly ev: 'reconnect'; readonly attempt: number; readonly ms: number }
  /** The last event of a run. Without a `message`, we closed the connection. */
  | { readonly ev: 'disconnect'; readonly message?: string; readonly why?: Why };

/** A process or connection event with its time, in milliseconds since the epoch. */
export type WireProcessEvent = { readonly t: number; readonly dir: 'ev' } & ProcessEvent;

/** A line between client and agent, or a change of the process or connection. Everything shown is derived from these. */
export type WireEvent = WireMessage | WireStderr | WireProcessEvent;
