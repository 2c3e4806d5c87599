import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import { sortedBy } from '../../query/sorting';
import type { Explorer } from '../explorer';
import type { MenuPlace } from '../menu/menuItem';
import { columnMenu } from './columnMenu';
import type { KeyActions } from './rows';
import type { Heading, SortedTab } from './columns';
import { minFilling, minWidth } from './columns';

/** How much an arrow key widens a column, in CSS pixels. */
const step = 8;

interface ListHeaderProps {
  readonly explorer: Explorer;
  readonly tab: SortedTab;
  readonly headings: readonly Heading[];
}

/**
 * The headings of a list's columns. A click sorts; dragging an edge resizes; the context menu hides. By keys, one of the headings has
 * the focus: arrows move it, with Shift they resize, and Enter sorts.
 */
export function ListHeader({ explorer, tab, headings }: ListHeaderProps): JSX.Element {
  const [current, setCurrent] = useState(headings[0]?.name);
  const filling = headings.findIndex(({ isFilling }) => isFilling);
  return (
    <div class="header" role="row" onDblClick={(event) => event.stopPropagation()}>
      {headings.map((heading, index) => (
        <HeaderCell
          key={heading.name}
          explorer={explorer}
          tab={tab}
          heading={heading}
          isCurrent={heading.name === current}
          isAfterFilling={index > filling}
          onFocus={() => setCurrent(heading.name)}
          openMenu={(at) => explorer.update({ menu: columnMenu(explorer, tab, headings, heading, at) })}
        />
      ))}
    </div>
  );
}

interface HeaderCellProps {
  readonly explorer: Explorer;
  readonly tab: SortedTab;
  readonly heading: Heading;
  /** Whether Tab leads to it. */
  readonly isCurrent: boolean;
  readonly isAfterFilling: boolean;
  readonly onFocus: () => void;
  readonly openMenu: (at: MenuPlace) => void;
}

function HeaderCell(props: HeaderCellProps): JSX.Element {
  const { explorer, tab, heading, isCurrent, isAfterFilling, onFocus } = props;
  const { name, title, sorts, isFilling = false, isFixed = false } = heading;
  const resize = (width: number | undefined): void =>
    explorer.changeColumn(tab.name, name, { width: width && Math.round(width) });
  const press = (): void => {
    if (sorts) tab.sortBy?.(sortedBy(name, sorts, tab.sort));
  };
  const openMenu = (element: HTMLElement): void => {
    const { left: x, bottom: y } = element.getBoundingClientRect();
    props.openMenu({ x, y, isByKey: true });
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const { currentTarget: element, shiftKey } = event;
    const grow = (by: number): void => {
      if (!isFilling && !isFixed) resize(widthOf(element, widthNow(element) + by));
    };
    const enter = (): void => (sorts ? press() : openMenu(element));
    const keys: KeyActions = {
      Enter: enter,
      ' ': enter,
      ArrowLeft: () => (shiftKey ? grow(-step) : visibleNext(element, 'previousElementSibling')?.focus()),
      ArrowRight: () => (shiftKey ? grow(step) : visibleNext(element, 'nextElementSibling')?.focus()),
      ContextMenu: () => openMenu(element),
      ...(shiftKey && { F10: () => openMenu(element) }),
      ArrowDown: () => explorer.focusList(),
      Escape: () => explorer.focusList(),
    };
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  return (
    <span
      class={`cell ${name}${sorts ? ' sortable' : ''}${isFilling ? ' filling' : ''}`}
      role="columnheader"
      aria-sort={tab.sort?.by === name ? tab.sort.direction : 'none'}
      tabIndex={isCurrent ? 0 : -1}
      title={title}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={() => {
        press();
        explorer.focusList();
      }}
      onContextMenu={(event) => {
        // Otherwise VS Code shows the menu of the page.
        event.preventDefault();
        event.stopPropagation();
        if (event.button === 2) props.openMenu({ x: event.clientX, y: event.clientY, isByKey: false });
        else openMenu(event.currentTarget);
      }}
    >
      {title}
      {!isFilling && !isFixed && <Grip isBefore={isAfterFilling} resize={resize} />}
    </span>
  );
}

/** The edge of a heading that faces the column which gives the room. */
function Grip(props: {
  readonly isBefore: boolean;
  readonly resize: (width: number | undefined) => void;
}): JSX.Element {
  const { isBefore, resize } = props;
  const [from, setFrom] = useState<{ readonly x: number; readonly width: number } | undefined>(undefined);
  return (
    <span
      class={isBefore ? 'grip before' : 'grip'}
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom({ x: event.clientX, width: widthNow(event.currentTarget.parentElement) });
      }}
      onPointerMove={(event) => {
        const heading = event.currentTarget.parentElement;
        if (!from || !heading) return;
        resize(widthOf(heading, from.width + (event.clientX - from.x) * (isBefore ? -1 : 1)));
      }}
      onPointerUp={() => setFrom(undefined)}
      onPointerCancel={() => setFrom(undefined)}
      onClick={(event) => event.stopPropagation()}
      onDblClick={() => resize(undefined)}
    />
  );
}

/** The width that a column can have, of one that is asked for. */
function widthOf(heading: HTMLElement, wanted: number): number {
  const filling = heading.parentElement?.querySelector('.filling') ?? null;
  const room = widthNow(heading) + Math.max(0, widthNow(filling) - minFilling);
  return Math.max(minWidth, Math.min(wanted, room));
}

function widthNow(element: Element | null): number {
  return element?.getBoundingClientRect().width ?? 0;
}

/** The next heading that isn't hidden. */
function visibleNext(element: Element, next: 'nextElementSibling' | 'previousElementSibling'): HTMLElement | undefined {
  for (let one = element[next]; one; one = one[next]) {
    if (one instanceof HTMLElement && getComputedStyle(one).display !== 'none') return one;
  }
  return undefined;
}
