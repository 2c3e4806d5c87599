import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { levels, severityOf } from '../../text/level';
import type { SpanProblem } from '../../explorer/turns/turnMessages';
import type { Explorer } from '../explorer';
import { Icon } from '../kit/icons';
import { ListView } from '../list/listView';
import { breaksImage } from '../kit/timeBreaks';
import { clock } from '../kit/text';
import { useDragZoom } from './dragZoom';
import { CallEnds } from './callEnds';
import { ChangedFiles } from './changedFiles';
import { farLabel } from './farLabel';
import { ToolTable } from './toolTable';
import { inferredText, isPoint, kindName, outcomes, TurnLook } from './turnLook';

/** Turns and their parts on one time axis. */
export function TurnsView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { turns, view } = explorer;
  const { t, tab } = view;
  const { axis } = turns;
  const { dropped = 0 } = turns.list.state.matches ?? {};
  const look = useMemo(() => new TurnLook(t, turns), [turns]);
  useEffect(() => {
    if (tab === 'turns') turns.show();
  }, [tab]);
  // One picture for all rows: a long run has hundreds of breaks.
  useLayoutEffect(() => document.documentElement.style.setProperty('--breaks', breaksImage(axis)), [axis]);
  const drag = useDragZoom(turns);
  return (
    <ListView
      explorer={explorer}
      tab={turns}
      look={look}
      label={t('Turns')}
      role="treegrid"
      headings={[
        { name: 'name', title: t('Name'), sorts: 'ascending' },
        { name: 'bars', title: t('Timeline'), sorts: 'ascending', isFilling: true },
        { name: 'took', title: t('Duration'), sorts: 'descending' },
        { name: 'tokens', title: t('Tokens'), sorts: 'descending' },
      ]}
      empty={emptyText(explorer)}
      gridProps={{ ...drag.handlers, onDblClick: () => turns.showRecords() }}
      details={<TurnDetails explorer={explorer} />}
    >
      {dropped > 0 && <p class="notice">{t('{0} older turns and tool calls are no longer listed.', dropped)}</p>}
      {turns.isByTool && <ToolTable explorer={explorer} />}
      {drag.selection && <span class="brushed" ref={drag.place} />}
    </ListView>
  );
}

/** Why no turn is listed. */
function emptyText({ turns, view }: Explorer): string {
  const { t, run } = view;
  const { length } = turns.rows;
  if (length > 0) return t('No turn or tool call matches the filter. Hidden: {0}', length);
  return run.isLive ? t('No turns or tool calls yet.') : t('This run has no turns or tool calls.');
}

/** The selected span: how it spent its time, how it ended, and a link to its records. */
function TurnDetails({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { turns, view } = explorer;
  const { t } = view;
  const { row, title } = turns.selected ?? {};
  // The problem says it better.
  const detail = row && row.detail !== '' && !row.problem ? ` (${row.detail})` : '';
  return (
    <div class="content">
      <div class="title">{title}</div>
      {row && (
        <>
          {row.problem && <WhyFailed explorer={explorer} problem={row.problem} />}
          <p>{row.summary}</p>
          {row.usage !== '' && <p>{row.usage}</p>}
          {row.jump !== '' && <p>{row.jump}</p>}
          <p class="quiet">
            {isPoint(row)
              ? `${kindName(row, t)} · ${clock(row.start)}`
              : `${kindName(row, t)} · ${clock(row.start)} · ${outcomes[row.outcome](t)}${detail}`}
          </p>
          {row.far?.isInferred === true && <p class="quiet">{inferredText(t)}</p>}
          <div class="buttons">
            {row.far && (
              <button type="button" class="link" onClick={() => turns.showFarEnd()}>
                {farLabel(row.far, t)}
              </button>
            )}
            {!row.lane && (
              <button type="button" class="link" onClick={() => turns.showRecords()}>
                {t('Show records {0}', `${row.firstSeq}–${row.lastSeq}`)}
              </button>
            )}
            <button
              type="button"
              class="link"
              aria-pressed={turns.range !== undefined}
              onClick={() => turns.toggleZoom()}
            >
              {turns.range ? t('Zoom out') : t('Zoom in')}
            </button>
            {turns.diffs.isComparable(row) && (
              <button type="button" class="link" onClick={() => turns.diffs.compare(row)}>
                {t('Compare With…')}
              </button>
            )}
          </div>
          {row.files.length > 0 && <ChangedFiles explorer={explorer} span={row} />}
          {row.far && !isPoint(row) && <CallEnds explorer={explorer} id={row.id} />}
        </>
      )}
    </div>
  );
}

/** The problem of the selected span, and the way to its explanation. */
function WhyFailed(props: { readonly explorer: Explorer; readonly problem: SpanProblem }): JSX.Element {
  const { explorer, problem } = props;
  const { seq, level, title, what } = problem;
  return (
    <article class={`problem rank-${level}`}>
      <h1>
        <Icon name={severityOf(levels[level] ?? 'info')} />
        {title}
      </h1>
      <p class="what">{what}</p>
      <p class="buttons">
        <button type="button" class="primary" onClick={() => explorer.showProblem(seq)}>
          {explorer.view.t('Why it failed')}
        </button>
      </p>
    </article>
  );
}

/** Toggles the table of tools, and resets the zoom. */
export function TurnChips({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { turns, view } = explorer;
  const { t } = view;
  return (
    <div class="chips">
      <button type="button" class="chip" aria-pressed={turns.isByTool} onClick={() => turns.toggleTable()}>
        {t('Tools')}
      </button>
      {turns.range && (
        <button type="button" class="chip" onClick={() => turns.zoom(undefined)}>
          {t('Zoom out')}
        </button>
      )}
    </div>
  );
}
