import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Explorer } from '../explorer';
import { useRowsMark, useVirtualRows } from '../grid/virtualRows';
import { onListKey } from '../keys';
import { fill } from '../text';
import { styled } from '../turns/styled';
import { WireDetails } from './wireDetails';
import { WireRowView } from './wireRowView';

/** In CSS pixels; must match the style sheet. */
const rowHeight = 24;
/** Number of rows to load beyond the visible ones. */
const ahead = 30;

/** Requests with their answers, and other messages. Only visible rows are rendered. */
export function WireView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, wire, run } = explorer.view;
  const { wirePane } = explorer;
  const { result, index, order } = wire;
  const total = result?.total ?? 0;
  const list = useVirtualRows({ total, rowHeight, index, sticks: run.isLive && order === 'time', order });
  const { first, count } = list;
  useEffect(() => wirePane.show(), [wirePane]);
  useEffect(() => wirePane.need(Math.max(0, first - ahead), count + 2 * ahead), [first, count, result]);
  useRowsMark('wire', count > 0 && wirePane.cache.get(first) !== undefined);
  const isActive = index >= first && index < first + count;
  const places = Array.from({ length: count }, (_, place) => first + place);
  return (
    <div class="turns">
      {result && result.dropped > 0 && (
        <p class="notice">{fill(strings.wireTexts.dropped, result.dropped.toLocaleString(strings.locale))}</p>
      )}
      <div
        class="turn-grid"
        id="wire-grid"
        role="grid"
        tabIndex={0}
        aria-label={strings.wireTexts.grid}
        aria-colcount={8}
        aria-rowcount={total}
        aria-activedescendant={isActive ? `wire-${index}` : undefined}
        data-vscode-context='{"preventDefaultContextMenuItems":true}'
        ref={list.ref}
        onScroll={list.onScroll}
        onKeyDown={(event) => onListKey(event, explorer, wirePane.moves(list.pageRows))}
      >
        <div class="layer" role="presentation" ref={styled('transform', `translateY(${-list.shift}px)`)}>
          {result &&
            places.map((place) => (
              <WireRowView
                key={place}
                explorer={explorer}
                row={wirePane.cache.get(place)}
                index={place}
                isSelected={place === index}
                result={result}
              />
            ))}
        </div>
        <div role="presentation" ref={styled('height', `${list.height}px`)} />
      </div>
      {result?.total === 0 && <p class="empty">{strings.wireTexts.nothing}</p>}
      {wire.body !== undefined && <WireDetails explorer={explorer} />}
    </div>
  );
}
