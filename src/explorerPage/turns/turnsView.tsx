import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Explorer } from '../explorer';
import { useVirtualRows } from '../grid/virtualRows';
import { pageKey } from '../keys';
import { styled } from './styled';
import { TurnDetails } from './turnDetails';
import { TurnRow } from './turnRow';
import { timeAxis } from './timeAxis';

/** In CSS pixels; the style sheet has the same. */
const rowHeight = 24;

/** Turns and what is in them, on one time axis. Only the lines in view are in the page. */
export function TurnsView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { turns, strings } = explorer.view;
  const lines = turns?.lines ?? [];
  const index = lines.findIndex(({ key }) => key === turns?.selected);
  useEffect(() => explorer.turnsPane.ask(), [explorer]);
  const { rows = [], now = 0, zoomed } = turns ?? {};
  const axis = useMemo(() => {
    const whole = rows.find(({ id }) => id === zoomed);
    return timeAxis(whole ? [whole] : rows, now);
  }, [rows, now, zoomed]);
  const { first, count, ...list } = useVirtualRows({ total: lines.length, rowHeight, index });
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
        ref={list.ref}
        onScroll={list.onScroll}
        onKeyDown={(event) => onKeyDown(explorer, event, list.pageRows)}
      >
        <div class="layer" role="presentation" ref={styled('transform', `translateY(${-list.shift}px)`)}>
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
        <div role="presentation" ref={styled('height', `${list.height}px`)} />
      </div>
      {turns && lines.length === 0 && <p class="empty">{strings.noTurns}</p>}
      <TurnDetails explorer={explorer} />
    </div>
  );
}

/** @param page rows of a page */
function onKeyDown(explorer: Explorer, event: KeyboardEvent, page: number): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!explorer.turnsPane.onKey(event.key, page) && !pageKey(event.key, explorer)) return;
  event.preventDefault();
  event.stopPropagation();
}
