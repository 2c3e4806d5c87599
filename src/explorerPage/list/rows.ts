import type { NextWhat } from '../../explorer/page/messages';
import type { MenuItem } from '../menu/menuItem';
import type { RowCache, Stretch } from './rowCache';

/** What keys do, by `KeyboardEvent.key`. */
export type KeyActions = Readonly<Record<string, () => void>>;

/** What a row is, wherever it is: the number of a record or message, or the key of a line of the tree. */
export type Id = number | string;

export interface Selection {
  /** Absent until its row has come. */
  readonly id: Id | undefined;
  /** Among the matches; -1 if it isn't known yet, or the filter hides the row. */
  readonly index: number;
}

/** What is known of the matches of a filter. */
export interface Matches {
  readonly total: number;
  /** How many rows the list has, unless each match is one. */
  readonly rows?: number;
  /** How many rows there are without the filter. */
  readonly of: number;
  /** Whether the search is complete. */
  readonly done: boolean;
  /** Older rows that are no longer there. */
  readonly dropped: number;
  readonly hints: readonly string[];
  /** Why the filter can't be used, or ''. The rows are then those of the previous one. */
  readonly error: string;
}

/** What a list shows, except its rows. */
export interface ListState {
  /** The filter as typed. */
  readonly q: string;
  readonly matches: Matches | undefined;
  readonly selection: Selection | undefined;
  /** Whether the details of the selected row are shown. */
  readonly isOpen: boolean;
  /** Bookmarked rows. */
  readonly marks: ReadonlySet<Id>;
  /** The filter and the row to go back to from the rows around a match. */
  readonly contextOf: { readonly q: string; readonly id: Id | undefined } | undefined;
  /** New matches since the end was last in view. */
  readonly unseen: number;
}

/** What the user was looking at before the page was loaded anew. */
export interface LastSeen {
  /** The selected row, and the one at the top of the view. */
  readonly id?: Id | undefined;
  readonly top?: Id | undefined;
  /** How many matches weren't new. */
  readonly seen?: number | undefined;
}

/** Where a row is among the matches, or where it would be; -1 if that isn't known. */
export interface Place {
  readonly index: number;
  readonly isMatch: boolean;
}

/** The row that a key leads to. */
export interface Found {
  readonly id: Id;
  /** -1 if there is none. */
  readonly index: number;
  /** What to announce. */
  readonly said: string;
}

/** Keys of the filters that have the values of cells. */
export type ValueKey = 'session' | 'logger' | 'level' | 'kind' | 'method' | 'status' | 'tool';

/** A value of a row, as the filter has it. */
export interface RowValue {
  readonly key: ValueKey;
  readonly value: string;
  /** The cell that shows it, if one does. */
  readonly cell?: string;
}

/** The session of rows without one, in filters. */
export const noSession = 'none';

/** A text of a cell as a value of the filter. */
export function filterValue(text: string): string {
  return text.endsWith('…') ? `${text.slice(0, -1)}*` : text;
}

/** Where a list has its rows from, and what is special about it. */
export interface Rows<Row> {
  readonly cache: Pick<RowCache<Row>, 'get' | 'wanted' | 'clear' | 'invalidate'>;
  /** Whether new rows come in at the end, so that they can be followed. */
  readonly isFollowable: boolean;
  idOf(row: Row): Id;
  /** Sends the filter. The answer goes to `List.found`. */
  find(): void;
  load(stretch: Stretch, use: () => void): void;
  /** Finds a row. The answer goes to `List.located`. */
  locate(id: Id): void;
  next(from: Selection | undefined, dir: 1 | -1, what: NextWhat, use: (found: Found) => void): void;
  /** Loads the details of a row. */
  open(id: Id): void;
  copy(id: Id): void;
  /** The bookmarks in the order of their rows. */
  inOrder(marks: ReadonlySet<Id>): readonly Id[];
  /** What the filter can ask for in a row, in the order of its cells. */
  values(row: Row): readonly RowValue[];
  /** What else can be done with a row, in groups. */
  commands(row: Row): readonly (readonly MenuItem[])[];
  /** Keys of this list only. */
  keys(moves: KeyActions): KeyActions;
}

/** How the answer to a filter differs from the one before. */
export interface Change {
  /** Whether rows may have other positions. */
  readonly hasMoved: boolean;
  /** Where the wanted or selected row is, if the answer says so. */
  readonly place?: { readonly id: Id; readonly index: number };
}
