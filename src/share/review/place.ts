/** Where a text of a run is: the tab that shows it, and the record to select there, unless it is of the whole run. */
export interface TextPlace {
  readonly tab: 'log' | 'wire' | 'turns';
  readonly seq?: number;
}
