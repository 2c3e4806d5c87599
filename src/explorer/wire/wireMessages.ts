import type { WireKind, WireRowDirection, WireStatus } from '../../runLog/wire/wirePage';

// What the host says about the Wire tab. Types only.

/** A request or another message as a line of the grid. Texts are ready to be shown. */
export interface WireRow {
  readonly row: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: WireKind;
  readonly direction: WireRowDirection;
  readonly method: string;
  /** What it is about; '' if its method says it all. */
  readonly carried: string;
  readonly session: string;
  /** What tells its session apart from others; '' if there is only one. */
  readonly tag: string;
  readonly status: WireStatus;
  /** An error code of JSON-RPC, or a status of HTTP; '' if there is none. */
  readonly code: string;
  /** With its answer, in bytes. */
  readonly size: number;
  /** In milliseconds; -1 if nothing answers it, or not yet. */
  readonly took: number;
  readonly seq: number;
}

/** A message or its answer. */
export interface WireText {
  readonly title: string;
  /** JSON in lines of its own, or whatever crossed. */
  readonly text: string;
  /** Characters that were cut off. */
  readonly missing: number;
}

/** A message and its answer. */
export interface WireBody {
  readonly texts: readonly WireText[];
  /** Why something isn't there; '' if nothing is missing. */
  readonly note: string;
}
