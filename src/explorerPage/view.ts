import type { Completion } from '../log/query/completion';
import type {
  ArgsOf,
  DataNode,
  RecordDetails,
  LogResult,
  RunInfo,
  SpanRow,
  Tab,
  WireResult,
  CutText,
} from '../ui/explorer/messages';
import type { PageState } from '../ui/explorer/pageState';
import { printState } from '../ui/explorer/pageState';
import type { WireBody } from '../ui/explorer/wire/wireMessages';
import type { Texts } from './texts';
import type { TimeRange } from './turns/timeAxis';
import type { TurnLine } from './turns/turnTree';

/** The initial filter. Without it, a streaming agent's updates would hide everything else. */
export const firstWireFilter = 'kind:request,http';

/** The selected record, and its position among the matches. */
export interface Selection {
  readonly seq: number;
  /** -1 if it isn't known yet, or the filter hides the record. */
  readonly index: number;
}

export interface Histogram {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Of each bucket eight counts, by level from `debug` on. */
  readonly counts: Uint32Array;
}

/** Members of a record's data that have been loaded, by the path of their parent. */
export type DataPages = ReadonlyMap<string, readonly DataNode[]>;

/** State of the Turns tab. */
export interface Turns {
  readonly rows: readonly SpanRow[];
  /** The rows that pass the filter, and what they are part of. */
  readonly shown: readonly SpanRow[];
  /** How many rows pass the filter. */
  readonly total: number;
  readonly hints: readonly string[];
  readonly error: string;
  /** When the rows were requested, in milliseconds since the epoch. */
  readonly now: number;
  readonly lines: readonly TurnLine[];
  readonly closed: ReadonlySet<string>;
  /** The key of the selected row. */
  readonly selected: string | undefined;
  /** The visible time range; everything if absent. */
  readonly range: TimeRange | undefined;
  /** Number of turns and parts of turns that the run has evicted. */
  readonly dropped: number;
  /** Whether the table of tools replaces the tree. */
  readonly isByTool: boolean;
  /** Keys of bookmarked rows. */
  readonly marks: ReadonlySet<string>;
}

/** State of the Wire tab, except for its rows. */
export interface Wire {
  /** The filter as typed. */
  readonly q: string;
  readonly order: ArgsOf<'wire.find'>['order'];
  readonly result: WireResult | undefined;
  /** The number of the selected row; absent if none is, or until it is loaded. */
  readonly row: number | undefined;
  /** Numbers of bookmarked rows. */
  readonly marks: ReadonlySet<number>;
  /** Index of the selected row among the matches; -1 if none. */
  readonly index: number;
  /** The message and the answer of the open row; `null` while loading. */
  readonly body: WireBody | null | undefined;
}

/** Everything the page shows except the rows. */
export interface View extends Texts {
  readonly run: RunInfo;
  /** The text of the filter box. */
  readonly q: string;
  readonly result: LogResult | undefined;
  /** Matches by level, 0 to 7; empty until they are counted. */
  readonly levelCounts: readonly number[];
  readonly histogram: Histogram | undefined;
  readonly selection: Selection | undefined;
  /** `null` while it is loading, `undefined` if the pane is closed. */
  readonly details: RecordDetails | null | undefined;
  /** Whether the record is no longer in memory. */
  readonly isGone: boolean;
  readonly pages: DataPages;
  /** Full strings by path, and the raw line as `raw`. */
  readonly texts: ReadonlyMap<string, CutText>;
  readonly follow: boolean;
  /** New matches since the end was last in view. */
  readonly unseen: number;
  readonly marks: ReadonlySet<number>;
  /** The filter and the record to go back to from the context of a match. */
  readonly contextOf: { readonly q: string; readonly seq: number } | undefined;
  readonly completions: { readonly text: string; readonly items: readonly Completion[] } | undefined;
  readonly split: number;
  readonly tab: Tab;
  readonly turns: Turns | undefined;
  /** The filter of the Turns tab. */
  readonly turnsQ: string;
  readonly wire: Wire;
  readonly isHelpOpen: boolean;
  /** Why the host couldn't answer; '' if it did. */
  readonly failure: string;
  /** The filters to go back to from the rows around a match, in Wire and Turns. */
  readonly setAside: { readonly wire?: string; readonly turns?: string };
  /** Announced by screen readers. */
  readonly said: string;
}

/** The view of a page that was just opened or restored. */
export function firstView(texts: Texts, run: RunInfo, state: PageState): View {
  return {
    ...texts,
    run,
    q: state.q,
    result: undefined,
    levelCounts: [],
    histogram: undefined,
    selection: undefined,
    details: state.isOpen && state.seq !== undefined ? null : undefined,
    isGone: false,
    pages: new Map(),
    texts: new Map(),
    follow: state.follow && state.seq === undefined && !usesScreenReader(),
    unseen: 0,
    marks: new Set(state.marks),
    contextOf: undefined,
    completions: undefined,
    split: state.split,
    tab: state.tab,
    turns: undefined,
    turnsQ: state.turnsQ,
    wire: {
      q: state.wireQ ?? firstWireFilter,
      order: 'time',
      result: undefined,
      row: undefined,
      marks: new Set(),
      index: -1,
      body: undefined,
    },
    isHelpOpen: false,
    failure: '',
    setAside: {},
    said: '',
  };
}

/**
 * The part of the view that survives a reload, as a string.
 * @param top the record at the top of the view
 */
export function stateOf(
  { run, tab, q, wire, turnsQ, selection, details, follow, split, marks }: View,
  top: number | undefined,
): string {
  return printState({
    run: run.id,
    tab,
    q,
    wireQ: wire.result ? wire.q : undefined,
    turnsQ,
    seq: selection?.seq || undefined,
    isOpen: details !== undefined,
    top: follow ? undefined : top,
    follow,
    split,
    marks: [...marks],
  });
}

/** A screen reader would announce every new row. */
function usesScreenReader(): boolean {
  return document.body.classList.contains('vscode-using-screen-reader');
}
