import type { JSX } from 'preact';

/** Height of the headings, in CSS pixels; must match the style sheet. */
export const headerHeight = 22;

/** A column of a list. */
export interface Heading<Cell extends string = string> {
  /** The class of its cells. */
  readonly name: Cell;
  readonly title: string;
  /** How the rows are sorted by it, if they are. */
  readonly sort?: 'ascending' | 'descending' | undefined;
  /** Sorts by it. */
  readonly onPress?: () => void;
}

/** The headings of a list's columns. */
export function ListHeader({ headings }: { readonly headings: readonly Heading[] }): JSX.Element {
  return (
    <div class="header" role="row">
      {headings.map(({ name, title, sort, onPress }) => (
        <span key={name} class={`cell ${name}`} role="columnheader" aria-sort={sort ?? 'none'}>
          {onPress ? (
            <button type="button" tabIndex={-1} onClick={onPress}>
              {title}
            </button>
          ) : (
            title
          )}
        </span>
      ))}
    </div>
  );
}
