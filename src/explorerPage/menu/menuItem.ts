/** An entry of a menu. */
export interface MenuItem {
  readonly label: string;
  /** What it is about, such as a value. */
  readonly detail?: string;
  /** The key that does the same in the list. */
  readonly key?: string;
  /** Of an entry that is switched on and off. */
  readonly isChecked?: boolean;
  run(): void;
}

/** Where a menu opens, in CSS pixels from the top left of the page. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
  /** Opened by a key: its first entry gets the focus. */
  readonly isByKey: boolean;
}

/** The menu of a list's rows, as its grid sees it. */
export interface GridMenu {
  /** Entries that filter by the value of a cell, if the filter has it. */
  filterItems(index: number, cell: string): readonly MenuItem[];
  /** @param cell the cell that was pressed */
  open(index: number, at: MenuPlace, cell?: string): void;
}

export interface OpenMenu {
  readonly label: string;
  /** Separated by lines. */
  readonly groups: readonly (readonly MenuItem[])[];
  readonly at: MenuPlace;
}
