import type { Threshold } from '../level';
import type { RecordKind } from '../record';

/** Which records are wanted; what is left out does not restrict. */
export interface RecordQuery {
  /** One session's, or with `null` those of no session. */
  readonly sessionId?: string | null | undefined;
  readonly minLevel?: Threshold | undefined;
  readonly kinds?: readonly RecordKind[] | undefined;
  /** Part of the message or the logger, in any case. */
  readonly text?: string | undefined;
  /** Received at or after this time, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** At most so many, the newest. */
  readonly limit?: number | undefined;
}
