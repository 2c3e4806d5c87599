import type { Completion } from '../../log/query/completion';
import type { RecordKind } from '../../log/record';
import type { PageStrings } from './pageStrings';
import { wireOrders } from '../../runs/explorer/wire/wirePage';
import type { WireAnswer } from './wire/wireMessages';

// The protocol between the explorer's page and its host. Both import this file; it has types, constants and checks only.

/** A page of another version than its host's, as after an update of the extension, is replaced. */
export const protocolVersion = 3;

/** The number of a page's first filter, whose result the host sends by itself. */
export const firstGen = 1;

/** Maximum number of rows in one answer. */
const maxRows = 200;
/** Rows are asked for by pages of this many. */
export const rowPage = 50;

/** Most characters of the state string, of a filter, and of a cell, in UTF-16 units. */
export const maxState = 2048;
export const maxFilter = 1024;
export const maxCell = 2048;
const maxDepth = 256;
const maxSeqs = 1000;
const maxSpanId = 40;
const maxBuckets = 400;

/** Actions on records. They take sequence numbers, never text or paths. */
const recordActions = [
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

/** Validates a field. */
type Check<Value> = (value: unknown) => value is Value;

/** Everything that the page may say, with the checks of its fields. `gen` numbers the filters; answers refer to them. */
export const pageMessages = {
  ready: { v: isCount, state: textOf(maxState) },
  state: { state: textOf(maxState) },
  /** Sets the filter. */
  query: { gen: isCount, q: textOf(maxFilter) },
  rows: { gen: isCount, from: isCount, count: upTo(maxRows) },
  /** Asks for the matches by level, and over time. */
  counts: { gen: isCount, buckets: upTo(maxBuckets, 1) },
  details: { seq: isCount },
  raw: { seq: isCount },
  tree: { seq: isCount, path: countsOf(maxDepth), from: isCount },
  value: { seq: isCount, path: countsOf(maxDepth) },
  next: { gen: isCount, seq: isCount, dir: oneOf([1, -1]), what: oneOf(['problem', 'session']) },
  locate: { gen: isCount, seq: isCount },
  complete: { text: textOf(maxFilter), caret: isCount },
  act: { name: oneOf(recordActions), seqs: countsOf(maxSeqs) },
  export: { gen: isCount },
  /** Sets the filter of the Turns tab, and asks for its spans if they may have changed. */
  turns: { gen: isCount, q: textOf(maxFilter), rows: oneOf([true, false]) },
  /** Copies a span as text. */
  turnCopy: { id: textOf(maxSpanId) },
  /** Compares a turn with what the user picks. */
  turnCompare: { id: textOf(maxSpanId) },
  turnComplete: { text: textOf(maxFilter), caret: isCount },
  /** Sets the filter of the Wire tab, which has a selected row. Asked again to see what is new. */
  wire: { gen: isCount, q: textOf(maxFilter), order: oneOf(wireOrders), row: orNull(isCount) },
  wireRows: { gen: isCount, from: isCount, count: upTo(maxRows) },
  wireBody: { row: isCount },
  wireCopy: { row: isCount },
  /** The row whose message or answer made this record. */
  wireLocate: { gen: isCount, seq: isCount },
  /** The next problem, or the next row of another session. */
  wireNext: { gen: isCount, index: orNull(isCount), dir: oneOf([1, -1]), what: oneOf(['problem', 'session']) },
  wireComplete: { text: textOf(maxFilter), caret: isCount },
} as const;

type FieldsOf<Checks> = { readonly [Key in keyof Checks]: Checks[Key] extends Check<infer Value> ? Value : never };
export type PageMessage = {
  [T in keyof typeof pageMessages]: { readonly t: T } & FieldsOf<(typeof pageMessages)[T]>;
}[keyof typeof pageMessages];

/** What the Turns tab asks. */
export type TurnQuestion = PageMessage & { readonly t: `turn${string}` };

/** What the Wire tab asks. */
export type WireQuestion = PageMessage & { readonly t: `wire${string}` };

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
      readonly gen: number;
      /** Oldest first; `null` if they are the same as before. */
      readonly rows: readonly SpanRow[] | null;
      /** Positions of the rows that match, and of what they are part of; `null` for all. */
      readonly shown: readonly number[] | null;
      /** How many rows match. */
      readonly total: number;
      readonly now: number;
      readonly dropped: number;
      /** Only the oldest rows: all of them follow at once. */
      readonly isBeginning: boolean;
      readonly hints: readonly string[];
      /** Why the expression can't be used, or ''. The rows are then those of the previous filter. */
      readonly error: string;
    }
  | WireAnswer
  | { readonly t: 'tab'; readonly tab: Tab }
  | { readonly t: 'focus' }
  /** A question couldn't be answered. */
  | { readonly t: 'failed'; readonly text: string };

/** A whole number from 0. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function orNull<Value>(check: Check<Value>): Check<Value | null> {
  return (value): value is Value | null => value === null || check(value);
}

function upTo(max: number, least = 0): Check<number> {
  return (value): value is number => isCount(value) && value >= least && value <= max;
}

function textOf(max: number): Check<string> {
  return (value): value is string => typeof value === 'string' && value.length <= max;
}

function countsOf(max: number): Check<readonly number[]> {
  return (value): value is readonly number[] => Array.isArray(value) && value.length <= max && value.every(isCount);
}

function oneOf<const Value>(values: readonly Value[]): Check<Value> {
  return (value): value is Value => (values as readonly unknown[]).includes(value);
}
