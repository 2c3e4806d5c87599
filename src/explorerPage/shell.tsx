import type { JSX } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { LogResult, Tab } from '../ui/explorer/messages';
import { tabs } from '../ui/explorer/messages';
import { Details } from './details/details';
import type { Explorer } from './explorer';
import { Chips } from './filter/chips';
import type { FilterTarget } from './filter/filterBox';
import { FilterBox } from './filter/filterBox';
import { HistogramView } from './filter/histogram';
import { Grid } from './grid/grid';
import { ListHeader } from './grid/listHeader';
import { Help } from './help';
import { Icon, IconButton } from './icons';
import { logKeys, onListKey } from './keys';
import { Notices } from './notices';
import { Splitter } from './splitter';
import { styled } from './styled';
import type { Translate } from './texts';
import { TurnChips, TurnsView } from './turns/turnsView';
import { WireChips, WireView } from './wire/wireView';

const tabNames: Readonly<Record<Tab, (t: Translate) => string>> = {
  log: (t) => t('Log'),
  wire: (t) => t('Wire'),
  turns: (t) => t('Turns'),
};

/** The whole page, except the rows, which `Grid` draws. */
export function Shell({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => explorer.subscribe(() => redraw(undefined)), [explorer]);
  const { view } = explorer;
  const isOpen = view.details !== undefined;
  const isLog = view.tab === 'log';
  const isWire = view.tab === 'wire';
  const isTurns = view.tab === 'turns';
  return (
    <main>
      <h1 class="visually-hidden">{view.run.name}</h1>
      <div class="top">
        <div class="bar">
          <FilterBox explorer={explorer} target={targetOf(explorer)} />
          <Count explorer={explorer} />
          <FollowButton explorer={explorer} />
          {!isWire && <ExportButton explorer={explorer} />}
        </div>
        <div class="bar">
          <Tabs explorer={explorer} />
          {isLog && <Chips explorer={explorer} />}
          {isWire && <WireChips explorer={explorer} />}
          {isTurns && <TurnChips explorer={explorer} />}
          <IconButton
            icon="question"
            label={view.t('Keyboard shortcuts')}
            onPress={() => explorer.update({ isHelpOpen: !view.isHelpOpen })}
          />
        </div>
        {isLog && <HistogramView explorer={explorer} />}
        <Notices explorer={explorer} />
      </div>
      <div
        id="panel-log"
        role="tabpanel"
        aria-labelledby="tab-log"
        hidden={!isLog}
        class={isOpen ? 'panel split' : 'panel'}
        ref={styled('--split', String(view.split))}
      >
        <GridHost explorer={explorer} />
        {isOpen && <Splitter explorer={explorer} />}
        {isOpen && <Details explorer={explorer} />}
      </div>
      <div id="panel-wire" role="tabpanel" aria-labelledby="tab-wire" class="panel" hidden={!isWire}>
        {isWire && <WireView explorer={explorer} />}
      </div>
      <div id="panel-turns" role="tabpanel" aria-labelledby="tab-turns" class="panel" hidden={!isTurns}>
        {isTurns && <TurnsView explorer={explorer} />}
      </div>
      {view.isHelpOpen && <Help explorer={explorer} />}
      <div class="visually-hidden" role="log" aria-live="polite" aria-atomic="true">
        {view.said}
      </div>
    </main>
  );
}

function targetOf(explorer: Explorer): FilterTarget {
  const { tab, q, wire, turnsQ, t } = explorer.view;
  switch (tab) {
    case 'log':
      return {
        q,
        placeholder: t('Filter, for example: level:warning -"cache miss" since:10m'),
        set: (text, isTyped) => explorer.setFilter(text, isTyped),
        complete: (text, caret) => explorer.complete('log.complete', text, caret),
      };
    case 'wire':
      return {
        q: wire.q,
        placeholder: t('Filter, for example: method:session/* status:error took:>1s'),
        set: (text, isTyped) => explorer.wirePane.setFilter(text, isTyped),
        complete: (text, caret) => explorer.complete('wire.complete', text, caret),
      };
    case 'turns':
      return {
        q: turnsQ,
        placeholder: t('Filter, for example: tool:bash status:error took:>10s'),
        set: (text, isTyped) => explorer.turnsPane.setFilter(text, isTyped),
        complete: (text, caret) => explorer.complete('turns.complete', text, caret),
      };
  }
}

function GridHost({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  const { t, result } = explorer.view;
  useEffect(() => {
    if (!ref.current) return;
    const grid = new Grid(ref.current, explorer.cache, t, {
      need: (first, count) => explorer.need(first, count),
      pick: (index) => explorer.cursor.pick(index),
      scrolled: (isAtEnd) => explorer.scrolled(isAtEnd),
    });
    explorer.attach(grid);
  }, [explorer]);
  const isEmpty = result?.done && result.total === 0 && result.error === '';
  return (
    <div class="grid-host">
      <div
        class="grid"
        role="grid"
        tabIndex={0}
        aria-label={t('Log records')}
        aria-colcount={5}
        aria-rowcount={0}
        data-vscode-context='{"preventDefaultContextMenuItems":true}'
        ref={ref}
        onKeyDown={(event) => onListKey(event, explorer, logKeys(explorer))}
        onCopy={(event) => {
          // Text that was selected with the mouse is copied as usual.
          if (document.getSelection()?.isCollapsed === false) return;
          event.preventDefault();
          explorer.act('copyMessage');
        }}
      >
        <ListHeader
          headings={[
            { name: 'cell time', title: t('Time'), sort: 'ascending' },
            { name: 'cell level', title: t('Level') },
            { name: 'cell session', title: t('Session') },
            { name: 'cell logger', title: t('Logger') },
            { name: 'cell message', title: t('Message') },
          ]}
        />
      </div>
      {isEmpty && (
        <p class="empty">{explorer.view.q === '' ? t('No records yet.') : t('No records match the filter.')}</p>
      )}
    </div>
  );
}

/** The result, updated at most once a second unless the filter changes: screen readers announce each update. */
function useCalm(result: LogResult | undefined): LogResult | undefined {
  const [calm, setCalm] = useState(result);
  const latest = useRef(result);
  const timer = useRef<number | undefined>(undefined);
  latest.current = result;
  const isUrgent = result?.gen !== calm?.gen || result?.done !== calm?.done;
  useEffect(() => {
    if (result === calm || (timer.current !== undefined && !isUrgent)) return;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(
      () => {
        timer.current = undefined;
        setCalm(latest.current);
      },
      isUrgent ? 0 : 1000,
    );
  }, [result]);
  return isUrgent ? result : calm;
}

/** How many records, requests or spans match, of how many. */
function Count({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, tab, result, wire, turns } = explorer.view;
  const calm = useCalm(result);
  const log = tab === 'log' ? calm : undefined;
  const counted =
    log ?? (tab === 'wire' ? wire.result : tab === 'turns' ? turns && { ...turns, of: turns.rows.length } : undefined);
  return (
    <span class="count">
      <span role="status">
        {counted &&
          (log?.done === false
            ? t('≥ {0} of {1}', counted.total, counted.of)
            : t('{0} of {1}', counted.total, counted.of))}
      </span>
      {log && log.dropped > 0 && ` · ${t('{0} dropped', log.dropped)}`}
    </span>
  );
}

/** Exports the matching records, or the spans of the run. */
function ExportButton({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, tab } = explorer.view;
  return tab === 'log' ? (
    <IconButton icon="export" label={t('Export filtered records…')} onPress={() => explorer.ask('log.export', {})} />
  ) : (
    <IconButton icon="export" label={t('Export trace…')} onPress={() => explorer.act('exportTrace')} />
  );
}

function FollowButton({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, follow, unseen } = explorer.view;
  return (
    <button
      type="button"
      class="follow"
      aria-pressed={follow}
      aria-label={t('Follow')}
      title={t('Follow')}
      onClick={() => explorer.setFollow(!follow)}
    >
      <Icon name={follow ? 'pause' : 'play'} />
      {!follow && unseen > 0 && <span>{t('{0} new', unseen)}</span>}
    </button>
  );
}

/** The views of the run. Arrow keys move between them, as in every tab list. */
function Tabs({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, tab: current } = explorer.view;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    explorer.setTab(next);
    document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={t('Views of the run')} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-selected={tab === current}
          aria-controls={`panel-${tab}`}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => explorer.setTab(tab)}
        >
          {tabNames[tab](t)}
        </button>
      ))}
    </div>
  );
}
