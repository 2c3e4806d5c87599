import type { SharedRun } from './sharedRun';

// The form of a shared file: what `writeShared` writes, and what the page in it reads.

/** Each part is the text of a data block: JSON, compressed by gzip, in Base64. */
export const partId = {
  head: 'agent-logs-head',
  records: 'agent-logs-records',
  messages: 'agent-logs-messages',
} as const;

/** The first part; the others have lists of records, then of messages, in their order. */
export interface SharedHead extends Omit<SharedRun, 'records' | 'messages'> {
  /** Number of parts. */
  readonly parts: { readonly records: number; readonly messages: number };
  readonly locale: string;
  /** Texts in its language, by their English texts. */
  readonly translations: Readonly<Record<string, string>>;
}
