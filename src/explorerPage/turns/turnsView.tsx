import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { Explorer } from '../explorer';
import type { Heading } from '../grid/listHeader';
import { ListHeader } from '../grid/listHeader';
import { useRowsMark, useVirtualRows } from '../grid/virtualRows';
import { onListKey } from '../keys';
import { clock } from '../text';
import { useDragZoom } from './dragZoom';
import { share, styled } from '../styled';
import { ToolTable } from './toolTable';
import { outcomes, spanKinds, TurnRow } from './turnRow';
import type { TimeAxis } from './timeAxis';
import { timeAxis } from './timeAxis';

/** In CSS pixels; must match the style sheet. */
const rowHeight = 22;

/** Turns and their parts on one time axis. Only visible rows are rendered. */
export function TurnsView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { turns, t } = explorer.view;
  const lines = turns?.lines ?? [];
  const index = lines.findIndex(({ key }) => key === turns?.selected);
  useEffect(() => explorer.turnsPane.show(), [explorer]);
  const { rows = [], now = 0, range, dropped = 0 } = turns ?? {};
  const axis = useMemo(() => timeAxis(rows, now, range), [rows, now, range]);
  const drag = useDragZoom(explorer, axis);
  const { first, count, ...list } = useVirtualRows({
    total: lines.length,
    rowHeight,
    index,
    sticks: explorer.view.run.isLive && explorer.view.follow,
    onLeaveEnd: () => explorer.setFollow(false),
  });
  const shown = lines.slice(first, first + count);
  useRowsMark('turns', count > 0);
  // One picture for all rows: a long run has hundreds of breaks.
  useLayoutEffect(() => list.ref.current?.style.setProperty('--breaks', breaksImage(axis)), [axis]);
  const isActive = index >= first && index < first + count;
  return (
    <div class="turns">
      {dropped > 0 && <p class="notice">{t('{0} older turns and tool calls are no longer listed.', dropped)}</p>}
      {turns?.isByTool === true && <ToolTable explorer={explorer} />}
      <div
        class="turn-grid"
        {...drag.handlers}
        id="turn-grid"
        role="treegrid"
        tabIndex={0}
        aria-label={t('Turns')}
        aria-colcount={4}
        aria-rowcount={lines.length}
        aria-activedescendant={isActive ? `turn-${index}` : undefined}
        data-vscode-context='{"preventDefaultContextMenuItems":true}'
        ref={list.ref}
        onScroll={list.onScroll}
        onKeyDown={(event) => onListKey(event, explorer, explorer.turnsPane.moves(list.pageRows))}
      >
        <ListHeader headings={headingsOf(explorer)} />
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
        {drag.selection && <span class="brushed" ref={drag.place} />}
        <div role="presentation" ref={styled('height', `${list.height}px`)} />
      </div>
      {turns && lines.length === 0 && (
        <p class="empty">
          {rows.length === 0 ? t('No turns or tool calls yet.') : t('No turns or tool calls match the filter.')}
        </p>
      )}
      <TurnDetails explorer={explorer} />
    </div>
  );
}

function headingsOf({ view: { t } }: Explorer): readonly Heading[] {
  return [
    { name: 'turn-cell name', title: t('Name') },
    { name: 'turn-cell time', title: t('Timeline'), sort: 'ascending' },
    { name: 'turn-cell took', title: t('Duration') },
    { name: 'turn-cell tokens', title: t('Tokens') },
  ];
}

/** Details of the selected span: how it spent its time, how it ended, and a link to its records. */
function TurnDetails({ explorer }: { readonly explorer: Explorer }): JSX.Element | null {
  const { t, turns } = explorer.view;
  const row = explorer.turnsPane.selectedLine?.row;
  if (!row || !turns) return null;
  const detail = row.detail === '' ? '' : ` (${row.detail})`;
  return (
    <section class="turn-details" role="region" aria-label={t('Details')}>
      <div class="title">{row.title}</div>
      {row.summary !== '' && <div class="summary">{row.summary}</div>}
      <div class="quiet">
        {`${spanKinds[row.kind](t)} · ${clock(row.start)} · ${outcomes[row.outcome](t)}${detail}`}
      </div>
      <div class="buttons">
        <button type="button" class="link" onClick={() => explorer.turnsPane.showRecords()}>
          {t('Show records {0}', `${row.firstSeq}–${row.lastSeq}`)}
        </button>
        <button
          type="button"
          class="link"
          aria-pressed={turns.range !== undefined}
          onClick={() => explorer.turnsPane.toggleZoom()}
        >
          {turns.range ? t('Zoom out') : t('Zoom in')}
        </button>
        {row.kind === 'turn' && (
          <button type="button" class="link" onClick={() => explorer.turnsPane.compare()}>
            {t('Compare With…')}
          </button>
        )}
      </div>
    </section>
  );
}

/** Toggles the table of tools, and resets the zoom. */
export function TurnChips({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, turns } = explorer.view;
  return (
    <div class="chips">
      <button
        type="button"
        class="chip"
        aria-pressed={turns?.isByTool === true}
        onClick={() => explorer.turnsPane.toggleTable()}
      >
        {t('Tools')}
      </button>
      {turns?.range && (
        <button type="button" class="chip" onClick={() => explorer.turnsPane.zoom(undefined)}>
          {t('Zoom out')}
        </button>
      )}
    </div>
  );
}

/** The breaks of a time axis, as a CSS background. */
function breaksImage(axis: TimeAxis): string {
  const stops = axis.breaks.flatMap(({ from, to }) => {
    const [start, end] = [share(axis.at(from)), share(axis.at(to))];
    return [`transparent ${start}`, `var(--break) ${start} ${end}`, `transparent ${end}`];
  });
  return stops.length === 0 ? 'none' : `linear-gradient(90deg, ${stops.join(', ')})`;
}
