import type { ProcessEvent } from '../../wire/wireEvent';

/** What a tap tells the thread that writes its journal, several at once. Times are in milliseconds since the epoch. */
export type ToThread =
  | { readonly type: 'chunk'; readonly dir: StreamName; readonly t: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** This many bytes of the stream are left out here. */
  | { readonly type: 'skipped'; readonly dir: StreamName; readonly t: number; readonly bytes: number }
  | { readonly type: 'event'; readonly t: number; readonly event: ProcessEvent }
  | { readonly type: 'close' };

/** What it answers. */
export type FromThread =
  /** This many bytes are written or dropped. */
  | { readonly type: 'taken'; readonly bytes: number }
  /** The journal is less than the person wants. */
  | { readonly type: 'warning'; readonly message: string }
  /** The journal can no longer be written. */
  | { readonly type: 'problem'; readonly message: string }
  | { readonly type: 'closed' };

export type StreamName = 'c2a' | 'a2c' | 'err';

/** What a journal is of, and where it goes. */
export interface JournalSpec {
  readonly agent: string;
  /** Default: recognised by the traffic. */
  readonly protocol?: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly pid: number;
  readonly level?: string;
  readonly startedAt: number;
  readonly place: JournalPlace;
}

/** The thread's options, with those of its redactor. */
export interface ThreadSpec extends JournalSpec {
  /** The environment variables whose values are secret, whatever their names say. */
  readonly secretEnv: readonly string[];
  readonly patternsFile: string;
}

/** Where the journal goes: to a file of this name, or to a new one in a folder. */
export type JournalPlace =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'folder'; readonly path: string; readonly runId: string };
