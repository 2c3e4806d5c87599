import type { OtlpRecord } from './otlpRecord';

/** What became of a batch. */
export type OtlpSendResult =
  /** All but those that were rejected, for good. */
  | { readonly type: 'sent'; readonly rejected?: number }
  /** Nobody answered, or whoever did wants it later. */
  | { readonly type: 'unreachable'; readonly reason: string }
  /** The same batch would be refused again. */
  | { readonly type: 'refused'; readonly reason: string };

/** Brings records to a collector. */
export interface OtlpTransport {
  /** Settles, never rejects, when the batch is there, or it was tried for long enough. */
  send(records: readonly OtlpRecord[]): Promise<OtlpSendResult>;
}

/** Where a transport sends to. */
export interface OtlpTransportOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long a batch is tried, with all retries, in milliseconds. */
  readonly timeout: number;
}
