import type { JSX } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { ResultMessage } from '../ui/explorer/messages';
import { Details } from './details/details';
import type { Explorer } from './explorer';
import { Chips } from './filter/chips';
import type { FilterTarget } from './filter/filterBox';
import { FilterBox } from './filter/filterBox';
import { HistogramView } from './filter/histogram';
import { Grid } from './grid/grid';
import { Help } from './help';
import { Icon, IconButton } from './icons';
import { onKey } from './keys';
import { Notices } from './notices';
import { Splitter } from './splitter';
import { Tabs } from './tabs';
import { fill } from './text';
import { TurnChips } from './turns/turnChips';
import { TurnsView } from './turns/turnsView';
import { WireChips } from './wire/wireChips';
import { WireView } from './wire/wireView';

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
          {isLog ? <Count explorer={explorer} /> : <OtherCount explorer={explorer} />}
          {isLog && <FollowButton explorer={explorer} />}
          {!isWire && <ExportButton explorer={explorer} />}
        </div>
        <div class="bar">
          <Tabs explorer={explorer} />
          {isLog && <Chips explorer={explorer} />}
          {isWire && <WireChips explorer={explorer} />}
          {isTurns && <TurnChips explorer={explorer} />}
          <IconButton
            icon="question"
            label={view.strings.keyboardHelp}
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
        ref={(panel) => panel?.style.setProperty('--split', String(view.split))}
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
  const { tab } = explorer.view;
  return tab === 'log' ? logTarget(explorer) : tab === 'wire' ? wireTarget(explorer) : turnsTarget(explorer);
}

function logTarget(explorer: Explorer): FilterTarget {
  const { q, strings } = explorer.view;
  return {
    q,
    placeholder: strings.filterPlaceholder,
    set: (text, isTyped) => explorer.setFilter(text, isTyped),
    complete: (text, caret) => explorer.post({ t: 'complete', text, caret }),
    leave: () => explorer.focusGrid(),
  };
}

function wireTarget(explorer: Explorer): FilterTarget {
  const { wire, strings } = explorer.view;
  return {
    q: wire.q,
    placeholder: strings.wireTexts.filterPlaceholder,
    set: (text, isTyped) => explorer.wirePane.setFilter(text, isTyped),
    complete: (text, caret) => explorer.post({ t: 'wireComplete', text, caret }),
    leave: () => document.querySelector<HTMLElement>('#wire-grid')?.focus(),
  };
}

function turnsTarget(explorer: Explorer): FilterTarget {
  const { turnsQ, strings } = explorer.view;
  return {
    q: turnsQ,
    placeholder: strings.turnFilter,
    set: (text) => explorer.turnsPane.setFilter(text),
    complete: (text, caret) => explorer.turnsPane.complete(text, caret),
    leave: () => document.querySelector<HTMLElement>('#turn-grid')?.focus(),
  };
}

/** How many requests or spans match, of how many. */
function OtherCount({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, tab, wire, turns } = explorer.view;
  const number = (value: number): string => value.toLocaleString(strings.locale);
  const result = tab === 'wire' ? wire.result : turns && { total: turns.total, of: turns.rows.length };
  const text = result ? fill(strings.count, number(result.total), number(result.of)) : '';
  return (
    <span class="count">
      <span role="status">{text}</span>
    </span>
  );
}

function GridHost({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  const { strings, result } = explorer.view;
  useEffect(() => {
    if (!ref.current) return;
    const grid = new Grid(ref.current, explorer.cache, strings, {
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
        aria-label={strings.grid}
        aria-colcount={5}
        aria-rowcount={0}
        data-vscode-context='{"preventDefaultContextMenuItems":true}'
        ref={ref}
        onKeyDown={(event) => onKey(event, explorer)}
        onCopy={(event) => {
          // Text that was selected with the mouse is copied as usual.
          if (document.getSelection()?.isCollapsed === false) return;
          event.preventDefault();
          explorer.act('copyMessage');
        }}
      />
      {isEmpty && <p class="empty">{explorer.view.q === '' ? strings.nothing : strings.nothingMatches}</p>}
    </div>
  );
}

/** The result, updated at most once a second unless the filter changes: screen readers announce each update. */
function useCalm(result: ResultMessage | undefined): ResultMessage | undefined {
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

/** How many records match, of how many. */
function Count({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings } = explorer.view;
  const result = useCalm(explorer.view.result);
  const number = (value: number): string => value.toLocaleString(strings.locale);
  const of = number(result?.of ?? 0);
  const text = result ? fill(result.done ? strings.count : strings.countAtLeast, number(result.total), of) : '';
  const dropped = result && result.dropped > 0 ? ` · ${fill(strings.dropped, number(result.dropped))}` : '';
  return (
    <span class="count">
      <span role="status">{text}</span>
      {dropped}
    </span>
  );
}

/** Exports the matching records, or the spans of the run. */
function ExportButton({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, tab } = explorer.view;
  return tab === 'log' ? (
    <IconButton icon="export" label={strings.exportShown} onPress={() => explorer.exportShown()} />
  ) : (
    <IconButton icon="export" label={strings.exportTrace} onPress={() => explorer.act('exportTrace')} />
  );
}

function FollowButton({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, follow, unseen } = explorer.view;
  return (
    <button
      type="button"
      class="follow"
      aria-pressed={follow}
      aria-label={strings.follow}
      title={strings.follow}
      onClick={() => explorer.setFollow(!follow)}
    >
      <Icon name={follow ? 'pause' : 'play'} />
      {!follow && unseen > 0 && <span>{fill(strings.newRecords, unseen.toLocaleString(strings.locale))}</span>}
    </button>
  );
}
