import type { RunProtocol } from '../wire/protocol';
import type { LogRecord, RecordWords } from '../text/record';
import type { Termination } from '../wire/termination';
import type { Span } from '../timeline/span';
import type { WireEntry } from '../runLog/wire/wireRows';

// A run on its way to other people: `collectRun` makes it, `writeShared` writes the page. In between, only the review (runs/share/review) may
// change it: shorten or replace any text, drop whole texts or records, and add to `cut`. It keeps the numbers and the order of what it keeps.
// Afterwards nothing changes it but the limit of the file, which cuts the oldest: what the user confirmed is what is written.

/** What a shared page shows, as plain JSON. Secrets and complete session IDs are already removed. */
export interface SharedRun {
  readonly name: string;
  readonly protocol: RunProtocol;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly sharedAt: number;
  /** Only for a run that has ended. Its texts have lines of standard error. */
  readonly termination?: Termination;
  readonly sessions: readonly SharedSession[];
  /** In order of arrival. */
  readonly records: readonly SharedRecord[];
  /** Requests with their answers, and notifications, in wire order. */
  readonly messages: readonly SharedMessage[];
  /** Oldest first. */
  readonly spans: readonly SharedSpan[];
  /** What isn't in it, as the page says. */
  readonly cut: readonly SharedCut[];
}

export interface SharedSession {
  /** Not the agent's: unique in the file, with the same last 8 characters. */
  readonly id: string;
  readonly title?: string;
}

export interface SharedRecord extends Omit<LogRecord, 'words'> {
  /** The message of a diagnosis in translatable form. */
  readonly words?: RecordWords;
  /** The line or lines that it was read from. */
  readonly raw?: string;
  /** The `seq` of the record that says how a problem ended. */
  readonly settledBy?: number;
}

export interface SharedMessage extends Omit<WireEntry, 'row'> {
  /** Bodies: JSON, or whatever crossed. */
  readonly message?: string;
  readonly answer?: string;
}

export interface SharedSpan extends Omit<Span, 'callId' | 'traceparent'> {
  /** What a tool call changed, as text. */
  readonly diff?: string;
}

/** What the user can leave out. `answers`: with thoughts and plans. `tools`: inputs and outputs. `wire`: the bodies of messages. */
export const sharedContents = ['prompts', 'answers', 'tools', 'wire', 'stderr'] as const;
export type SharedContent = (typeof sharedContents)[number];

export type SharedCut =
  /** Older ones were no longer in memory, or didn't fit. */
  | { readonly type: 'records' | 'messages' | 'spans'; readonly count: number }
  /** Long texts have lost their end. */
  | { readonly type: 'texts'; readonly count: number }
  /** It is a session, or a selection, of a longer run. */
  | { readonly type: 'part'; readonly of: 'session' | 'selection' }
  /** The review left it out. */
  | { readonly type: 'content'; readonly content: SharedContent; readonly count: number }
  /** The review replaced personal paths and names. */
  | { readonly type: 'personal'; readonly count: number }
  /** The review cut what may be a secret. */
  | { readonly type: 'suspects'; readonly count: number };
