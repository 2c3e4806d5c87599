import type { RunProtocol } from '../../../wire/protocol';
import type { ProcessEvent } from '../../../wire/wireEvent';

/** Messages to the thread that writes the journal, sent in batches. Times are in milliseconds since the epoch. */
export type ToThread =
  | { readonly type: 'chunk'; readonly dir: StreamName; readonly t: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** This many bytes of the stream are missing here. */
  | { readonly type: 'skipped'; readonly dir: StreamName; readonly t: number; readonly bytes: number }
  | { readonly type: 'event'; readonly t: number; readonly event: ProcessEvent }
  | { readonly type: 'close' };

/** Messages from that thread. */
export type FromThread =
  /** This many bytes have been written or dropped. */
  | { readonly type: 'taken'; readonly bytes: number }
  /** The journal is there. */
  | { readonly type: 'opened'; readonly path: string }
  /** Less is redacted than the user wants. */
  | { readonly type: 'warning'; readonly message: string }
  /** The journal can no longer be written. */
  | { readonly type: 'problem'; readonly message: string }
  | { readonly type: 'closed' };

export type StreamName = 'c2a' | 'a2c' | 'err';

/** What a journal records, and where it is written. */
export interface JournalSpec {
  readonly agent: string;
  /** Default: detected from the messages. */
  readonly protocol?: RunProtocol;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly pid: number;
  readonly level?: string;
  readonly startedAt: number;
  readonly place: JournalPlace;
}

/** Options of the thread. */
export interface ThreadSpec extends JournalSpec {
  /** Names of environment variables whose values are secret. */
  readonly secretEnv: readonly string[];
  readonly patternsFile: string;
}

/** Where to write the journal: to this file, or to a new one in this folder. */
export type JournalPlace =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'folder'; readonly path: string; readonly runId: string };
