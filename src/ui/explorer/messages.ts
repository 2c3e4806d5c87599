import type { Completion } from '../../log/query/completion';
import type { RecordKind } from '../../log/record';
import type { PageStrings } from './pageStrings';
import type { WireAnswer, WireQuestion } from './wire/wireMessages';

// The protocol between the explorer's page and its host. Both import this file; it has types and constants only.

/** A page of another version than its host's, as after an update of the extension, is replaced. */
export const protocolVersion = 3;

/** Maximum number of rows in one answer. */
export const maxRows = 200;
/** Rows are asked for by pages of this many. */
export const rowPage = 50;

/** Most characters of the state string, of a filter, and of a cell, in UTF-16 units. */
export const maxState = 2048;
export const maxFilter = 1024;
export const maxCell = 2048;

/** Actions on records. They take sequence numbers, never text or paths. */
export const recordActions = [
  'copyMessage',
  'copyRaw',
  'copyJson',
  'copyMarkdown',
  'openAsText',
  'revealInTree',
  'showOutput',
  'openJournal',
  'logIn',
  'restart',
  'openSetting',
  'copyCommand',
  'exportTrace',
  'openRunJournal',
  'openFile',
] as const;
export type RecordAction = (typeof recordActions)[number];

/** The path to a value in a record's data: the index of the member at each level. */
export type DataPath = readonly number[];

export type PageMessage =
  | { readonly t: 'ready'; readonly v: number; readonly state: string }
  /** Sets the filter; answers refer to it by `gen`. */
  | { readonly t: 'query'; readonly gen: number; readonly q: string }
  | { readonly t: 'rows'; readonly gen: number; readonly from: number; readonly count: number }
  /** Asks for the matches by level, and over time. */
  | { readonly t: 'counts'; readonly gen: number; readonly buckets: number }
  | { readonly t: 'details'; readonly seq: number }
  | { readonly t: 'tree'; readonly seq: number; readonly path: DataPath; readonly from: number }
  | { readonly t: 'value'; readonly seq: number; readonly path: DataPath }
  | { readonly t: 'raw'; readonly seq: number }
  | { readonly t: 'next'; readonly gen: number; readonly seq: number; readonly dir: 1 | -1; readonly what: NextWhat }
  | { readonly t: 'locate'; readonly gen: number; readonly seq: number }
  | { readonly t: 'complete'; readonly text: string; readonly caret: number }
  | { readonly t: 'act'; readonly name: RecordAction; readonly seqs: readonly number[] }
  | { readonly t: 'export'; readonly gen: number }
  /** Asks for the spans of the run. */
  | { readonly t: 'turns' }
  /** Copies a span as text. */
  | { readonly t: 'turnCopy'; readonly id: string }
  /** Compares a turn with what the user picks. */
  | { readonly t: 'compare'; readonly id: string }
  | WireQuestion
  | { readonly t: 'state'; readonly state: string };

export type NextWhat = 'problem' | 'session';

/** One line of the grid, ready to be shown: no control characters, no line breaks, cells cut to `maxCell`. */
export interface Row {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** 0 (debug) to 7 (emergency). */
  readonly level: number;
  readonly kind: RecordKind;
  readonly session: string;
  readonly logger: string;
  readonly message: string;
}

export const tabs = ['log', 'wire', 'turns'] as const;
export type Tab = (typeof tabs)[number];

// As in timeline/span.ts, whose types the page can't compile.
export type SpanKind = 'turn' | 'tool' | 'permission' | 'request' | 'subagent' | 'compaction';
export type SpanOutcome = 'ok' | 'error' | 'cancelled' | 'refused' | 'unanswered';

/** A turn or a part of one, ready to be shown. Times are in milliseconds since the epoch. */
export interface SpanRow {
  readonly id: string;
  /** '' if it is part of nothing. */
  readonly parent: string;
  /** Its session's title. */
  readonly session: string;
  /** The same for the spans of one session; never its whole id. */
  readonly sessionKey: string;
  readonly kind: SpanKind;
  /** Of a tool call: the tool, or what it does if the agent has no name for it. */
  readonly tool: string;
  readonly title: string;
  readonly start: number;
  /** -1 while it goes on. */
  readonly end: number;
  readonly outcome: SpanOutcome | 'open';
  readonly detail: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Tokens and what they count. */
  readonly tokens: string;
  /** -1 if it isn't reported. */
  readonly tokenCount: number;
  /** Of a turn: where its time went. */
  readonly summary: string;
}

export interface RunInfo {
  readonly id: string;
  readonly name: string;
  readonly isLive: boolean;
  /** The run was closed or removed and gets no more records. */
  readonly isClosed: boolean;
  readonly hasJournal: boolean;
  /** From 0 to 1 while a file is being read. */
  readonly progress?: number;
}

/** A value of a record's data, as a line of a tree. */
export interface DataNode {
  readonly key: string;
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** The value, or a preview of it; cut to `maxCell`. */
  readonly text: string;
  /** How many members it has. */
  readonly size: number;
  /** Characters that were cut off. */
  readonly missing: number;
}

export interface EvidenceLink {
  readonly seq: number;
  readonly level: number;
  readonly at: number;
  readonly message: string;
}

export interface ProblemButton {
  readonly action: RecordAction;
  readonly label: string;
}

/** A diagnosis, as an explanation. */
export interface ProblemDetails {
  readonly title: string;
  readonly what: string;
  readonly why: string;
  readonly advice: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly buttons: readonly ProblemButton[];
  readonly evidence: readonly EvidenceLink[];
  /** Warnings and errors shortly before it that may explain it, oldest first. */
  readonly before: readonly EvidenceLink[];
}

/** One record. The members of its data and its raw line are loaded on demand. */
export interface RecordDetails {
  readonly seq: number;
  /** Local time with its date. */
  readonly time: string;
  /** The agent's own timestamp, if it differs. */
  readonly ownTime: string;
  readonly level: number;
  readonly kind: RecordKind;
  readonly session: string;
  readonly logger: string;
  readonly message: string;
  /** Characters of the message that were cut off. */
  readonly missing: number;
  readonly data?: DataNode;
  readonly hasRaw: boolean;
  readonly hasJournal: boolean;
  readonly problem?: ProblemDetails;
}

export interface ResultMessage {
  readonly t: 'result';
  readonly gen: number;
  readonly total: number;
  /** How many records were searched, or will be. */
  readonly of: number;
  readonly done: boolean;
  /** Changes when records have other positions than before. */
  readonly epoch: number;
  /** Records that are neither in memory nor in the spill file. */
  readonly dropped: number;
  /** The newest rows, from the start of a page on, if positions have changed. */
  readonly newest?: { readonly from: number; readonly rows: readonly Row[] };
  readonly hints: readonly string[];
  /** Why the expression can't be used, or ''. The rows are then those of the previous filter. */
  readonly error: string;
}

export type HostMessage =
  | {
      readonly t: 'init';
      readonly v: number;
      readonly strings: PageStrings;
      readonly run: RunInfo;
      readonly state: string;
    }
  | ResultMessage
  | {
      readonly t: 'rows';
      readonly gen: number;
      readonly epoch: number;
      readonly from: number;
      readonly rows: readonly Row[];
    }
  /** Matches by level, 0 to 7, whatever levels the filter asks for. */
  | { readonly t: 'levels'; readonly gen: number; readonly counts: readonly number[] }
  /** `counts`: for each bucket the matches by level, as a Uint32Array of 8 numbers a bucket. */
  | {
      readonly t: 'histogram';
      readonly gen: number;
      readonly from: number;
      readonly to: number;
      readonly counts: ArrayBuffer;
    }
  | { readonly t: 'details'; readonly seq: number; readonly details: RecordDetails | null }
  | {
      readonly t: 'tree';
      readonly seq: number;
      readonly path: DataPath;
      readonly from: number;
      readonly nodes: readonly DataNode[];
    }
  | {
      readonly t: 'value';
      readonly seq: number;
      readonly path: DataPath;
      readonly text: string;
      readonly missing: number;
    }
  | { readonly t: 'raw'; readonly seq: number; readonly text: string; readonly missing: number }
  | {
      readonly t: 'found';
      readonly gen: number;
      readonly seq: number;
      /** Among the matches; -1 if there is none. */
      readonly index: number;
      /** What to announce, such as `Problem 3 of 12`. */
      readonly said: string;
    }
  | {
      readonly t: 'located';
      readonly gen: number;
      readonly seq: number;
      /** Among the matches: of the record, or of the next match; -1 without any. */
      readonly index: number;
      readonly isMatch: boolean;
    }
  | { readonly t: 'completions'; readonly text: string; readonly items: readonly Completion[] }
  | { readonly t: 'run'; readonly run: RunInfo }
  | { readonly t: 'reveal'; readonly seq: number; readonly q?: string }
  | { readonly t: 'filter'; readonly q: string }
  | {
      readonly t: 'turns';
      readonly rows: readonly SpanRow[];
      readonly now: number;
      readonly dropped: number;
      /** Only the oldest rows: all of them follow at once. */
      readonly isBeginning: boolean;
    }
  | WireAnswer
  | { readonly t: 'tab'; readonly tab: Tab }
  | { readonly t: 'focus' }
  /** A question couldn't be answered. */
  | { readonly t: 'failed'; readonly text: string };
