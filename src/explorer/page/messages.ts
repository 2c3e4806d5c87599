import type { Completion } from '../../query/completion';
import { sortDirections } from '../../query/sorting';
import type { TimeRange } from '../../query/timeAxis';
import type { TimeReference } from '../../query/timeValue';
import type { RecordKind } from '../../text/record';
import type { WireCounts } from '../../runLog/wire/wirePage';
import { wireSortKeys } from '../../runLog/wire/wirePage';
import type { Call } from './args';
import { args, count, counts, oneOf, orNull, text, upTo } from './args';
import { faultPlaces, maxFault } from './pageFault';
import type { EvidenceLink } from '../record/evidenceLink';
import type { BothEnds, ChangedSpan, SpanRow } from '../turns/turnMessages';
import type { WireBody, WireRow } from '../wire/wireMessages';

// What the explorer's page and its host say to each other. Both import this file; it has types, constants and checks only.

/** A page of another version than its host's, as after an update of the extension, is replaced. */
export const protocolVersion = 7;

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
export const copyActions = ['copyMessage', 'copyRaw', 'copyJson', 'copyMarkdown'] as const;
export type CopyAction = (typeof copyActions)[number];
const recordActions = [
  ...copyActions,
  'openAsText',
  'revealInTree',
  'showOutput',
  'openJournal',
  'logIn',
  'openSavedSession',
  'restart',
  'copyReport',
  'openSetting',
  'install',
  'copyCommand',
  'exportTrace',
  'openRunJournal',
  'openFile',
] as const;
export type RecordAction = (typeof recordActions)[number];

/** The path to a value in a record's data: the index of the member at each level. */
export type DataPath = readonly number[];

const directions = [1, -1] as const;
const nextWhats = ['failure', 'session'] as const;
export type NextWhat = (typeof nextWhats)[number];

/** Everything that the page calls, by group. The host has an object for each group, with a method for each call. */
export const calls = {
  page: {
    /** Answers `null` to a page of another version, which is replaced. */
    ready: args({ v: count, state: text(maxState) }).gives<FirstPage | null>(),
    /** Keeps the state for a reload. */
    keep: args({ state: text(maxState) }).gives(),
    /** Keeps what the user has changed about the columns, for all explorers. */
    columns: args({ columns: text(maxState) }).gives(),
    /** Reports an internal error of the page. */
    fault: args({ place: oneOf(faultPlaces), text: text(maxFault) }).gives(),
    /** Loads the page anew, without its state, because it can't be drawn. */
    restart: args({}).gives(),
  },
  log: {
    /** Sets the filter, whose results are pushed. */
    query: args({ gen: count, q: text(maxFilter) }).gives(),
    rows: args({ from: count, count: upTo(maxRows) }).gives<RowsAnswer | undefined>(),
    /** Matches by level, 0 to 7, whatever levels the filter asks for. */
    levels: args({}).gives<readonly number[] | undefined>({ overtakenBy: 'query' }),
    histogram: args({ buckets: upTo(maxBuckets, 1) }).gives<HistogramAnswer | undefined>({ overtakenBy: 'query' }),
    /** The next warning or error of the agent, or the next record of another session. */
    /** The first match at a time or later, in milliseconds since the epoch; whatever times the filter asks for. */
    at: args({ time: count }).gives<number | undefined>({ overtakenBy: 'query' }),
    next: args({ seq: count, dir: oneOf(directions), what: oneOf(nextWhats) }).gives<Found | undefined>({
      overtakenBy: 'query',
    }),
    /** The next problem of the run after a record, whatever the filter. */
    problem: args({ seq: count, dir: oneOf(directions) }).gives<NextProblem>({ overtakenBy: 'problem' }),
    /** Where a record is among the matches; `undefined` if it isn't read yet. */
    locate: args({ seq: count }).gives<Place | undefined>({ overtakenBy: 'query' }),
    complete: args({ text: text(maxFilter), caret: count }).gives<readonly Completion[]>({ overtakenBy: 'complete' }),
    export: args({}).gives(),
  },
  record: {
    /** `null` if it is no longer in memory. */
    details: args({ seq: count }).gives<RecordDetails | null>({ overtakenBy: 'details' }),
    /** A page of the members of a value. */
    members: args({ seq: count, path: counts(maxDepth), from: count }).gives<readonly DataNode[]>({
      overtakenBy: 'details',
    }),
    value: args({ seq: count, path: counts(maxDepth) }).gives<CutText | undefined>({ overtakenBy: 'details' }),
    raw: args({ seq: count }).gives<CutText | undefined>({ overtakenBy: 'details' }),
    act: args({ name: oneOf(recordActions), seqs: counts(maxSeqs) }).gives(),
  },
  wire: {
    /** Sets the filter of the Wire tab, which has a selected row. Called again to see what is new. */
    find: args({
      q: text(maxFilter),
      by: oneOf(wireSortKeys),
      direction: oneOf(sortDirections),
      row: orNull(count),
      /** A record whose row is to be selected instead. */
      seq: orNull(count),
      /** Which rows come with the answer. */
      rows: oneOf(['none', 'first', 'last']),
    }).gives<WireResult>({ overtakenBy: 'find' }),
    rows: args({ from: count, count: upTo(maxRows) }).gives<readonly WireRow[]>({ overtakenBy: 'find' }),
    body: args({ row: count }).gives<WireBody | undefined>({ overtakenBy: 'body' }),
    copy: args({ row: count }).gives(),
    /** The next failure, or the next row of another session. */
    next: args({ row: orNull(count), dir: oneOf(directions), what: oneOf(nextWhats) }).gives<Found>({
      overtakenBy: 'find',
    }),
    complete: args({ text: text(maxFilter), caret: count }).gives<readonly Completion[]>({ overtakenBy: 'complete' }),
  },
  turns: {
    /** Sets the filter of the Turns tab. Asks for its rows, or for the oldest of them, if they may have changed. */
    find: args({
      q: text(maxFilter),
      rows: oneOf(['same', 'oldest', 'all']),
      /** A record whose span is to be selected. */
      seq: orNull(count),
    }).gives<TurnsResult>({ overtakenBy: 'find' }),
    /** Copies one as text. */
    copy: args({ id: text(maxSpanId) }).gives(),
    /** Both ends of a call; `undefined` if it isn't joined with another run's. */
    ends: args({ id: text(maxSpanId) }).gives<BothEnds | undefined>({ overtakenBy: 'ends' }),
    /** Shows the other end of a call in its own run: a request in the server's, or the call in the agent's. */
    across: args({ id: text(maxSpanId) }).gives(),
    /** Compares a turn with what the user picks. */
    compare: args({ id: text(maxSpanId) }).gives(),
    /** Shows what a span changed in diff editors: all of its files, or one. */
    showChanges: args({ id: text(maxSpanId), file: orNull(count) }).gives(),
    /** The same as text. */
    changes: args({ id: text(maxSpanId) }).gives<string>({ overtakenBy: 'changes' }),
    complete: args({ text: text(maxFilter), caret: count }).gives<readonly Completion[]>({ overtakenBy: 'complete' }),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Call<unknown, unknown>>>>>;

/** All calls by their names with their groups, such as `log.rows`. */
export const callsByName: ReadonlyMap<string, Call<unknown, unknown>> = new Map(
  Object.entries<Readonly<Record<string, Call<unknown, unknown>>>>(calls).flatMap(([group, methods]) =>
    Object.entries(methods).map(([method, call]) => [`${group}.${method}`, call] as const),
  ),
);

/** What the host says by itself. */
export interface Pushes {
  readonly result: LogResult;
  readonly run: RunInfo;
  /** Shows a tab, a filter of the log, a record or the newest ones; `unlessSelected`: not if a record is selected. */
  readonly open: {
    readonly tab?: Tab;
    readonly q?: string;
    readonly seq?: number;
    /** A row of Wire. */
    readonly message?: number;
    readonly end?: boolean;
    readonly unlessSelected?: boolean;
  };
  /** The turns may have changed, because other runs have. */
  readonly turns: null;
  /** Moves the focus to the filter. */
  readonly focus: null;
}

type Groups = typeof calls;
type Entry<Name> = Name extends `${infer Group extends keyof Groups}.${infer Method}`
  ? Method extends keyof Groups[Group]
    ? Groups[Group][Method]
    : never
  : never;

export type CallName = { [Group in keyof Groups]: `${Group}.${keyof Groups[Group] & string}` }[keyof Groups];
export type ArgsOf<Name extends CallName> = Entry<Name> extends Call<infer Args, unknown> ? Args : never;
export type AnswerOf<Name extends CallName> = Entry<Name> extends Call<unknown, infer Answer> ? Answer : never;

/** What the host has to answer: a method for each call of each group. */
export type Handlers = {
  readonly [Group in keyof Groups]: {
    readonly [Method in keyof Groups[Group]]: Groups[Group][Method] extends Call<infer Args, infer Answer>
      ? (args: Args) => Answer | Promise<Answer>
      : never;
  };
};

/** A call, as the page sends it. */
export interface CallMessage {
  readonly id: number;
  readonly call: CallName;
  readonly args: unknown;
}

/** What the host sends: an answer, why there is none, or something that happened. */
export type HostMessage =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string }
  | { [Name in keyof Pushes]: { readonly push: Name; readonly data: Pushes[Name] } }[keyof Pushes];

/** One line of the grid, ready to be shown: no control characters, no line breaks, cells cut to `maxCell`. */
export interface Row {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** 0 (debug) to 7 (emergency). */
  readonly level: number;
  readonly kind: RecordKind;
  readonly session: string;
  /** What tells its session apart from others; '' if there is only one. */
  readonly tag: string;
  readonly logger: string;
  readonly message: string;
  /** A problem that no longer holds. */
  readonly isSettled: boolean;
}

export const tabs = ['log', 'wire', 'turns'] as const;
export type Tab = (typeof tabs)[number];

/** How a run ended, as a card above its log. */
export interface RunEnd {
  /** `Ended: exit 3, because …`. */
  readonly title: string;
  readonly isFailure: boolean;
  readonly advice: string;
  /** The last lines of standard error. */
  readonly stderr: string;
  readonly buttons: readonly ProblemButton[];
}

export interface RunInfo {
  readonly id: string;
  readonly name: string;
  readonly isLive: boolean;
  /** The run was closed or removed and gets no more records. */
  readonly isClosed: boolean;
  readonly hasJournal: boolean;
  /** Whether the host can open files and run commands. A shared page has no such host. */
  readonly hasEditor: boolean;
  /** From 0 to 1 while a file is being read. */
  readonly progress?: number;
  readonly end?: RunEnd;
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

export interface ProblemButton {
  readonly action: RecordAction;
  readonly label: string;
}

/** A diagnosis, as an explanation. */
export interface ProblemDetails {
  /** Among the run's problems that still hold, from 1; 0 if it is none of them. */
  readonly number: number;
  readonly title: string;
  readonly what: string;
  readonly why: string;
  readonly advice: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly buttons: readonly ProblemButton[];
  /** What says that it no longer holds. */
  readonly settledBy: readonly EvidenceLink[];
  readonly evidence: readonly EvidenceLink[];
  /** Of a command that failed: the last change before it. */
  readonly change: readonly EvidenceLink[];
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
  /** For display. */
  readonly kind: string;
  readonly session: string;
  readonly logger: string;
  readonly message: string;
  /** Characters of the message that were cut off. */
  readonly missing: number;
  readonly data?: DataNode;
  /** Of a tool call that changed files: its span, and the files. */
  readonly changed?: ChangedSpan;
  readonly hasRaw: boolean;
  readonly hasJournal: boolean;
  readonly problem?: ProblemDetails;
}

/** What the page says about a filter. */
export interface FilterText {
  readonly hints: readonly string[];
  /** Why the filter can't be used, or ''. The rows are then those of the previous one. */
  readonly error: string;
}

/** The state of the log's filter. */
export interface LogResult extends FilterText {
  readonly gen: number;
  readonly total: number;
  /** How many records were searched, or will be. */
  readonly of: number;
  readonly done: boolean;
  /** Changes when records have other positions than before. */
  readonly epoch: number;
  /** Problems of the run that still hold, whatever the filter. */
  readonly problems: number;
  /** Records that are neither in memory nor in the spill file. */
  readonly dropped: number;
  /** The newest rows, from the start of a page on, if positions have changed. */
  readonly newest?: { readonly from: number; readonly rows: readonly Row[] };
}

/** What a page needs to draw itself. */
export interface FirstPage {
  readonly locale: string;
  /** Texts in its language, by their English texts. */
  readonly translations: Readonly<Record<string, string>>;
  readonly run: RunInfo;
  readonly state: string;
  /** As the page printed them. */
  readonly columns: string;
  /** What the tab would ask first. */
  readonly wire?: WireResult;
  readonly turns?: TurnsResult;
}

export interface RowsAnswer {
  readonly epoch: number;
  readonly rows: readonly Row[];
}

export interface HistogramAnswer {
  readonly from: number;
  readonly to: number;
  /** Stretches without matches that are drawn short. */
  readonly breaks: readonly TimeRange[];
  /** For each bucket the matches by level, as a Uint32Array of 8 numbers a bucket. */
  readonly counts: ArrayBuffer;
  /** What the filter's times are relative to. */
  readonly times: TimeReference;
}

/** A record, or a message. */
export interface Found {
  readonly id: number;
  /** Among the matches; -1 if there is none. */
  readonly index: number;
  /** What to announce, such as `Problem 3 of 12`. */
  readonly said: string;
}

/** A problem of the run. */
export interface NextProblem {
  /** Absent without any. */
  readonly seq?: number;
  /** What to announce, such as `Problem 3 of 12`. */
  readonly said: string;
}

export interface Place {
  /** Among the matches: of the record, or of the next match; -1 without any. */
  readonly index: number;
  readonly isMatch: boolean;
}

export interface CutText {
  readonly text: string;
  /** Characters that were cut off. */
  readonly missing: number;
}

/** The state of the filter of the Wire tab. */
export interface WireResult extends FilterText {
  readonly total: number;
  /** All rows, whatever the filter is. */
  readonly of: number;
  /** Older rows that memory has no room for. */
  readonly dropped: number;
  readonly counts: WireCounts;
  /** What the waterfall spans, and until when pending rows have lasted. Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** Another filter than the one that was asked for: the tab was opened, and an agent's own stream has no requests. */
  readonly q?: string;
  /** Where the selected row is among the matches; its index is -1 if it is hidden. */
  readonly place?: { readonly id: number; readonly index: number };
  /** The row of the record that was asked for, if the filter hides it. */
  readonly hidden?: number;
  /** Rows from the start of a page on. */
  readonly first?: { readonly from: number; readonly rows: readonly WireRow[] };
}

/** The state of the filter of the Turns tab. */
export interface TurnsResult extends FilterText {
  /** Oldest first; `null` if they are the same as before. */
  readonly rows: readonly SpanRow[] | null;
  /** Whether there are more rows: only the oldest were asked for. */
  readonly isBeginning: boolean;
  /** Positions of the rows that match, and of what they are part of; `null` for all. */
  readonly shown: readonly number[] | null;
  /** The ID of the shortest span that covers the record that was asked for. */
  readonly span?: string;
  /** How many rows match. */
  readonly total: number;
  readonly now: number;
  readonly dropped: number;
}
