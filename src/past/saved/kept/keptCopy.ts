/** Who wanted a copy. Those of the setting make room for newer ones. */
export type KeptBy = 'user' | 'setting';

/** Where a copy of a session is, which stays if its agent deletes the session. */
export interface KeptCopy {
  /** Its file. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
  readonly by: KeptBy;
  /** Where its agent saved it. */
  readonly original: string;
  /** When the agent's file was written last before that, in milliseconds since the epoch. */
  readonly modifiedAt: number;
}
