import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Tab } from '../explorer/page/messages';
import { tabs } from '../explorer/page/messages';
import { EndCard } from './endCard';
import { Boundary } from './boundary';
import type { Explorer } from './explorer';
import type { Faults } from './faults';
import { FilterBox } from './filter/filterBox';
import { Help } from './help';
import { Icon, IconButton } from './kit/icons';
import type { Columns } from './list/columns';
import { columnStyles } from './list/columns';
import type { Matches } from './list/rows';
import { Chips } from './records/chips';
import { HistogramView } from './records/histogram';
import { LogView } from './records/logView';
import { onPageKey } from './kit/keys';
import { Menu } from './menu/menu';
import { Notices } from './notices';
import type { Translate } from './texts';
import { failureTexts } from './texts';
import { TurnChips, TurnsView } from './turns/turnsView';
import { WireChips, WireView } from './wire/wireView';

const tabNames: Readonly<Record<Tab, (t: Translate) => string>> = {
  log: (t) => t('Log'),
  wire: (t) => t('Wire'),
  turns: (t) => t('Turns'),
};

const views = [LogView, WireView, TurnsView];

/** The whole page, except the rows, which `Grid` draws. */
export function Shell({ explorer, faults }: { readonly explorer: Explorer; readonly faults: Faults }): JSX.Element {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => explorer.subscribe(() => redraw(undefined)), [explorer]);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => onPageKey(event, explorer);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [explorer]);
  const { view } = explorer;
  const { tab } = view;
  useColumnStyles(view.columns);
  return (
    <main>
      <h1 class="visually-hidden">{view.run.name}</h1>
      <div class="top">
        <div class="bar">
          <FilterBox explorer={explorer} />
          <Count explorer={explorer} />
          <ProblemsButton explorer={explorer} />
          <FollowButton explorer={explorer} />
          {tab !== 'wire' && view.run.hasEditor && <ExportButton explorer={explorer} />}
        </div>
        <div class="bar">
          <Tabs explorer={explorer} />
          {tab === 'log' && <Chips explorer={explorer} />}
          {tab === 'wire' && <WireChips explorer={explorer} />}
          {tab === 'turns' && <TurnChips explorer={explorer} />}
          <IconButton
            icon="question"
            label={view.t('Keyboard shortcuts')}
            onPress={() => explorer.update({ isHelpOpen: !view.isHelpOpen })}
          />
        </div>
        {tab === 'log' && <HistogramView explorer={explorer} />}
        <Notices explorer={explorer} />
        <EndCard explorer={explorer} />
      </div>
      {views.map((TabView, index) => (
        // What one tab can't draw leaves the others, and the filter, as a way on.
        <Boundary key={index} faults={faults} texts={failureTexts(view.t)} isHidden={tabs[index] !== tab}>
          <TabView explorer={explorer} />
        </Boundary>
      ))}
      {view.isHelpOpen && <Help explorer={explorer} />}
      <Menu explorer={explorer} />
      <div class="visually-hidden" role="log" aria-live="polite" aria-atomic="true">
        {view.said}
      </div>
    </main>
  );
}

/** The rows don't draw their columns anew: there may be hundreds of cells. */
function useColumnStyles(columns: Columns): void {
  const sheet = useMemo(() => new CSSStyleSheet(), []);
  useLayoutEffect(() => void (document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]), [sheet]);
  useLayoutEffect(() => sheet.replaceSync(columnStyles(columns)), [columns]);
}

/**
 * The matches, updated at most once a second: screen readers announce each update. At once if the filter changes or the first rows come, or
 * `0 of 0` would be above a full list.
 */
function useCalm(matches: Matches | undefined, filter: string): Matches | undefined {
  const [calm, setCalm] = useState({ matches, filter });
  const latest = useRef({ matches, filter });
  const timer = useRef<number | undefined>(undefined);
  latest.current = { matches, filter };
  const wasEmpty = calm.matches?.of === 0 && matches !== calm.matches;
  const isUrgent = filter !== calm.filter || matches?.done !== calm.matches?.done || wasEmpty;
  useEffect(() => {
    if (matches === calm.matches || (timer.current !== undefined && !isUrgent)) return;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(
      () => {
        timer.current = undefined;
        setCalm(latest.current);
      },
      isUrgent ? 0 : 1000,
    );
  }, [matches]);
  return isUrgent ? matches : calm.matches;
}

/** How many records, requests or spans match, of how many. */
function Count({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, tab } = explorer.view;
  const { matches, q } = explorer.tab.list.state;
  const shown = useCalm(matches, `${tab} ${q}`);
  return (
    <span class="count">
      <span role="status">
        {shown && (shown.done ? t('{0} of {1}', shown.total, shown.of) : t('≥ {0} of {1}', shown.total, shown.of))}
      </span>
      {tab === 'log' && shown && shown.dropped > 0 && ` · ${t('{0} dropped', shown.dropped)}`}
    </span>
  );
}

/** The problem that is shown among those that still hold, or how many there are; goes to the next. */
function ProblemsButton({ explorer }: { readonly explorer: Explorer }): JSX.Element | null {
  const { t } = explorer.view;
  const { problems, list, record } = explorer.log;
  if (problems === 0) return null;
  const { seq, problem } = record.details ?? {};
  const number = seq === list.state.selection?.id ? (problem?.number ?? 0) : 0;
  const place = number === 0 ? String(problems) : t('{0} of {1}', number, problems);
  return (
    <button
      type="button"
      class="problems"
      aria-label={t('Next problem: {0}', place)}
      title={t('Next problem (F8)')}
      onClick={() => explorer.nextProblem(1)}
    >
      <Icon name="warning" />
      <span>{place}</span>
    </button>
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
  const { t, follow } = explorer.view;
  const { unseen } = explorer.tab.list.state;
  const showNews = (): void => {
    explorer.setFollow(true);
    explorer.focusList(); // this button disappears
  };
  return (
    <>
      <button
        type="button"
        class="follow"
        aria-pressed={follow}
        aria-label={t('Follow')}
        title={t('Follow')}
        onClick={() => explorer.setFollow(!follow)}
      >
        <Icon name={follow ? 'pause' : 'play'} />
      </button>
      {/* Not in the button above, whose name would have to contain it (WCAG 2.5.3). */}
      {!follow && unseen > 0 && (
        <button type="button" class="news" onClick={showNews}>
          {t('{0} new', unseen)}
        </button>
      )}
    </>
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
