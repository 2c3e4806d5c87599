import type { Sort, SortDirection } from '../../query/sorting';
import type { Tab } from '../../explorer/page/messages';
import { maxState, tabs } from '../../explorer/page/messages';

/** A column of a list. */
export interface Heading<Cell extends string = string> {
  /** The class of its cells. */
  readonly name: Cell;
  readonly title: string;
  /** Takes the room that the others leave; it can't be hidden. */
  readonly isFilling?: boolean;
  /** One character wide. */
  readonly isFixed?: boolean;
  /** How a first click sorts the rows by it; absent if they can't be. */
  readonly sorts?: SortDirection;
}

/** A tab whose rows may be sorted. */
export interface SortedTab {
  readonly name: Tab;
  readonly sort?: Sort;
  sortBy?(sort: Sort): void;
}

/** What the user has changed about a column. */
export interface ColumnChange {
  /** In CSS pixels. */
  readonly width?: number | undefined;
  /** Absent if that depends on the room, and on whether any row has something in it. */
  readonly isShown?: boolean | undefined;
}

/** By `columnKey`. */
export type Columns = Readonly<Record<string, ColumnChange>>;

/** Height of the headings, in CSS pixels; must match the style sheet. */
export const headerHeight = 22;
export const minWidth = 24;
/** Room to leave for the column that fills the rest, in CSS pixels. */
export const minFilling = 80;
const maxWidth = 4000;

export function columnKey(tab: Tab, name: string): string {
  return `${tab}.${name}`;
}

/** Reads what `printColumns` printed; ignores everything else. */
export function readColumns(text: string): Columns {
  return Object.fromEntries(
    [...new URLSearchParams(text.slice(0, maxState))].flatMap(([key, value]) => {
      const [tab, name = ''] = key.split('.');
      const [, shown, width = ''] = /^([01]?)w?(\d{0,4})$/.exec(value) ?? [];
      if (shown === undefined || !tabs.some((one) => one === tab) || !/^[a-z]{1,20}$/.test(name)) return [];
      const change: ColumnChange = {
        ...(width !== '' && { width: Math.max(minWidth, Math.min(maxWidth, Number(width))) }),
        ...(shown !== '' && { isShown: shown === '1' }),
      };
      return [[key, change] as const];
    }),
  );
}

/** Such as `log.session=0&wire.bars=w240`. */
export function printColumns(columns: Columns): string {
  const fields = Object.entries(columns).map(([key, { width, isShown }]): [string, string] => [
    key,
    `${isShown === undefined ? '' : Number(isShown)}${width === undefined ? '' : `w${width}`}`,
  ]);
  return new URLSearchParams(fields.filter(([, value]) => value !== '')).toString();
}

/** A style sheet for them. It outdoes those for narrow windows, but not that a column without any text has no room. */
export function columnStyles(columns: Columns): string {
  return Object.entries(columns)
    .flatMap(([key, { width, isShown }]) => {
      const [tab = '', name = ''] = key.split('.');
      const grid = `#panel-${tab} .grid`;
      return [
        ...(width === undefined ? [] : [`${grid} .cell.${name} { flex: 0 1 ${width}px; }`]),
        ...(isShown === undefined
          ? []
          : [`${grid}:not(.no-${name}) .cell.${name} { display: ${isShown ? 'block' : 'none'}; }`]),
      ];
    })
    .join('\n');
}
