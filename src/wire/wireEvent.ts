import type { Line } from '../log/bytes/line';
import type { Termination } from '../log/termination';

/** Which way a line went: client to agent or agent to client. */
export type WireDirection = 'c2a' | 'a2c';

/** A line of standard input or output. `WireLine` is the class; it must not be copied with a spread. */
export interface WireMessage {
  /** Milliseconds since the epoch. */
  readonly t: number;
  readonly dir: WireDirection;
  /** The line as it crossed, without its line break. With `bytes`: how it begins, or the message with its long strings cut. */
  readonly line: string;
  /** The JSON value of `line`; `undefined` if it isn't JSON. */
  readonly msg?: unknown;
  /** The length of the whole line in bytes, if it was too long to be logged. */
  readonly bytes?: number | undefined;
  /** How many bytes of that line precede it in the journal, in pieces. */
  readonly kept?: number | undefined;
  /** The bytes of `line`, for those that can do without its text. */
  readonly source?: Line;
  /** Set by the protocol's reader: a valid log notification, and nothing for the client to act on. */
  isLog?: boolean;
}

/** A line of standard error. */
export interface WireStderr {
  readonly t: number;
  readonly dir: 'err';
  readonly line: string;
  readonly bytes?: number | undefined;
  readonly kept?: number | undefined;
}

/** A piece of a line that is too long to be held: only for the journal. */
export interface WirePiece {
  readonly t: number;
  readonly dir: 'a2c' | 'err';
  readonly part: string;
}

/** What happens to the process or to the connection, as far as it concerns the log. */
export type ProcessEvent =
  | { readonly ev: 'spawn'; readonly pid: number; readonly command: readonly string[]; readonly cwd: string }
  | { readonly ev: 'start-failed'; readonly message: string }
  /** Still waiting for an answer, after this many milliseconds. */
  | { readonly ev: 'waiting'; readonly method: string; readonly ms: number }
  | { readonly ev: 'stdin-close' }
  | { readonly ev: 'stdout-close' }
  /** The process is gone, and others of its group are not. */
  | { readonly ev: 'left-behind' }
  /** This many bytes crossed unread: they came faster than they could be kept. */
  | { readonly ev: 'skipped'; readonly bytes: number }
  | { readonly ev: 'signal'; readonly signal: string }
  /** All is over, and this is why: what the exit alone does not tell. Nothing comes after it. */
  | {
      readonly ev: 'end';
      readonly reason: Termination['reason'];
      readonly terminatedBy: Termination['terminatedBy'];
      readonly message?: string;
    }
  | { readonly ev: 'exit'; readonly code: number | null; readonly signal: string | null }
  | ConnectionEvent;

/** What happens to a connection over HTTP (MCP "Streamable HTTP"), which has no process of ours. Texts are shown unchanged. */
export type ConnectionEvent =
  /** We are about to connect. The first event of such a run, as `spawn` is of others. */
  | { readonly ev: 'connect'; readonly url: string }
  /**
   * An HTTP exchange was refused, or failed. `method` is HTTP's (`POST`); `status` is absent where no answer came, and then `message`
   * says why (a refused connection, a certificate). `requestId` names the JSON-RPC request that it carried, which has failed with it.
   */
  | {
      readonly ev: 'http';
      readonly method: string;
      readonly status?: number;
      readonly message: string;
      readonly requestId?: string | number;
      /** Whether the server refused it because the user isn't logged in, and can be logged in to. */
      readonly canLogIn?: boolean;
    }
  /**
   * A stream of the server's messages ended before its time: the server closed it; or we did, to cancel the request whose answer was to
   * come on it, and then `cancels` has its id (MCP 2026-07-28, "Cancellation").
   */
  | { readonly ev: 'stream-close'; readonly message?: string; readonly cancels?: string | number }
  /** We shall try again after this many milliseconds; attempts are counted from 1. */
  | { readonly ev: 'reconnect'; readonly attempt: number; readonly ms: number }
  /** The connection is over: we closed it, or `message` says why. The last event of a run. */
  | { readonly ev: 'disconnect'; readonly message?: string };

/** An event of the process or the connection, on the same clock as the lines. */
export type WireProcessEvent = { readonly t: number; readonly dir: 'ev' } & ProcessEvent;

/** A line that crossed between client and agent, or an event of the process or the connection: everything shown is read from these. */
export type WireEvent = WireMessage | WireStderr | WireProcessEvent;
