import type { AnswerOf, ArgsOf, CallName } from '../ui/explorer/messages';
import type { Grid } from './grid/grid';
import type { RowCache } from './grid/rowCache';
import type { View } from './view';

/** The page as its parts see it: `Explorer`. */
export interface Page {
  readonly view: View;
  readonly cache: RowCache;
  /** Absent until the page is drawn. */
  readonly grid: Grid | undefined;
  /** Numbers the filters; results of earlier ones are ignored. */
  readonly gen: number;
  /** How many records match. */
  readonly total: number;
  /** Whether the newest rows stay in view while a filter is searched for. */
  sticksToEnd: boolean;
  update(change: Partial<View>): void;
  /** Calls the host, and uses its answer. A failure is shown. */
  ask<Name extends CallName>(name: Name, args: ArgsOf<Name>, use?: (answer: AnswerOf<Name>) => void): void;
  /** Loads rows unless they are there. */
  need(first: number, count: number): void;
  setFilter(q: string): void;
  /** Pauses, or keeps the newest rows of the tab in view. */
  setFollow(follow: boolean): void;
  /** Shows the log, and moves the focus there. */
  showLog(): void;
}
