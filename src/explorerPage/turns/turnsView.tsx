import type { JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Explorer } from '../explorer';
import type { ListShape } from '../grid/scaledList';
import { contentHeight, maxOffset, offsetOf, offsetToShow, rowsInView, scrollTopOf } from '../grid/scaledList';
import { styled } from './styled';
import { TurnDetails } from './turnDetails';
import { TurnRow } from './turnRow';
import { timeAxis } from './timeAxis';

/** In CSS pixels; the style sheet has the same. */
const rowHeight = 24;

/** Turns and what is in them, on one time axis. Only the lines in view are in the page. */
export function TurnsView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { turns, strings } = explorer.view;
  const ref = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const viewHeight = useHeight(ref);
  const lines = turns?.lines ?? [];
  const shape: ListShape = { total: lines.length, rowHeight, viewHeight };
  const index = lines.findIndex(({ key }) => key === turns?.selected);
  useEffect(() => explorer.turnsPane.ask(), [explorer]);
  useLayoutEffect(() => {
    if (index < 0 || !ref.current || viewHeight === 0) return;
    const shown = offsetToShow(index, offset, shape, 'nearest');
    if (shown !== offset) ref.current.scrollTop = scrollTopOf(shown, shape);
  }, [index, viewHeight]);
  const { rows = [], now = 0, zoomed } = turns ?? {};
  const axis = useMemo(() => {
    const whole = rows.find(({ id }) => id === zoomed);
    return timeAxis(whole ? [whole] : rows, now);
  }, [rows, now, zoomed]);
  const { first, count, shift } = rowsInView(Math.min(offset, maxOffset(shape)), shape);
  const shown = lines.slice(first, first + count);
  const isActive = index >= first && index < first + count;
  return (
    <div class="turns">
      <div
        class="turn-grid"
        role="treegrid"
        tabIndex={0}
        aria-label={strings.turns}
        aria-colcount={4}
        aria-rowcount={lines.length}
        aria-activedescendant={isActive ? `turn-${index}` : undefined}
        data-vscode-context='{"preventDefaultContextMenuItems":true}'
        ref={ref}
        onScroll={({ currentTarget }) => setOffset(offsetOf(currentTarget.scrollTop, shape))}
        onKeyDown={(event) => onKeyDown(explorer, event, Math.max(1, Math.floor(viewHeight / rowHeight) - 1))}
      >
        <div class="layer" role="presentation" ref={styled('transform', `translateY(${-shift}px)`)}>
          {shown.map((line, place) => (
            <TurnRow
              key={line.key}
              explorer={explorer}
              line={line}
              index={first + place}
              isSelected={first + place === index}
              axis={axis}
              now={now}
            />
          ))}
        </div>
        <div role="presentation" ref={styled('height', `${contentHeight(shape)}px`)} />
      </div>
      {turns && lines.length === 0 && <p class="empty">{strings.noTurns}</p>}
      <TurnDetails explorer={explorer} />
    </div>
  );
}

/** Of an element, in CSS pixels; 0 before it is laid out. */
function useHeight(ref: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return height;
}

/** @param page rows of a page */
function onKeyDown({ turnsPane }: Explorer, event: KeyboardEvent, page: number): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !turnsPane.onKey(event.key, page)) return;
  event.preventDefault();
  event.stopPropagation();
}
