import type { Threshold } from '../level';
import type { RecordKind } from '../record';

/** Which records to return. Absent fields don't restrict. */
export interface RecordQuery {
  /** Records of one session; `null` for records without a session. */
  readonly sessionId?: string | null | undefined;
  readonly minLevel?: Threshold | undefined;
  readonly kinds?: readonly RecordKind[] | undefined;
  /** Part of the message or the logger, ignoring case. */
  readonly text?: string | undefined;
  /** Received at or after this time, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Maximum number of records; the newest are kept. */
  readonly limit?: number | undefined;
}
