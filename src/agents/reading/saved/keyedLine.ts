import type { JsonObject } from '../../../text/json';

/** A line made from a part of a document. */
export interface KeyedLine {
  /** Stable for the same part when the document is read again. */
  readonly key: string;
  readonly line: JsonObject;
  /** The length of the part in bytes, if it was too long to read. */
  readonly bytes?: number | undefined;
}

/** The time of such a line, in milliseconds since the epoch. */
export function timed(ts: number | undefined): { readonly ts?: number } {
  return ts === undefined ? {} : { ts };
}
