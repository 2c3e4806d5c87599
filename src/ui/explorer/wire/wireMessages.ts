import type { WireCounts, WireKind, WireRowDirection, WireStatus } from '../../../runs/explorer/wire/wirePage';

// What the host says about the Wire tab. Types only.

/** A request or another message as a line of the grid. Texts are ready to be shown. */
export interface WireRow {
  readonly row: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: WireKind;
  readonly direction: WireRowDirection;
  readonly method: string;
  readonly session: string;
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

export type WireAnswer =
  | {
      readonly t: 'wire';
      readonly gen: number;
      readonly total: number;
      /** All rows, whatever the filter is. */
      readonly of: number;
      /** Older rows that memory has no room for. */
      readonly dropped: number;
      readonly counts: WireCounts;
      /** What the waterfall spans, and until when pending rows have lasted. Milliseconds since the epoch. */
      readonly from: number;
      readonly to: number;
      readonly now: number;
      readonly hints: readonly string[];
      /** Why the expression can't be used, or ''. The rows are then those of the previous filter. */
      readonly error: string;
      /** Where the selected row is among the matches; -1 if it isn't. */
      readonly index: number;
    }
  | { readonly t: 'wireRows'; readonly gen: number; readonly from: number; readonly rows: readonly WireRow[] }
  | {
      readonly t: 'wireBody';
      readonly row: number;
      readonly texts: readonly WireText[];
      /** Why something isn't there; '' if nothing is missing. */
      readonly note: string;
    }
  | { readonly t: 'wireFound'; readonly gen: number; readonly index: number; readonly said: string };
