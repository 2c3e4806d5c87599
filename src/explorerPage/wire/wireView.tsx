import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Explorer } from '../explorer';
import { hasValue, toggleValue } from '../filter/queryText';
import type { Heading } from '../grid/listHeader';
import { ListHeader } from '../grid/listHeader';
import { useRowsMark, useVirtualRows } from '../grid/virtualRows';
import { IconButton } from '../icons';
import { onEscape, onListKey } from '../keys';
import { RawText } from '../rawText';
import { styled } from '../styled';
import { WireRowView } from './wireRowView';

/** In CSS pixels; must match the style sheet. */
const rowHeight = 22;
/** Number of rows to load beyond the visible ones. */
const ahead = 30;

/** Requests with their answers, and other messages. Only visible rows are rendered. */
export function WireView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, wire, run } = explorer.view;
  const { wirePane } = explorer;
  const { result, index, order } = wire;
  const total = result?.total ?? 0;
  const list = useVirtualRows({
    total,
    rowHeight,
    index,
    sticks: run.isLive && explorer.view.follow && order === 'time',
    order,
    onLeaveEnd: () => explorer.setFollow(false),
  });
  const { first, count } = list;
  useEffect(() => wirePane.show(), [wirePane]);
  useEffect(() => wirePane.need(Math.max(0, first - ahead), count + 2 * ahead), [first, count, result]);
  useRowsMark('wire', count > 0 && wirePane.cache.get(first) !== undefined);
  const isActive = index >= first && index < first + count;
  const places = Array.from({ length: count }, (_, place) => first + place);
  return (
    <div class="turns">
      {result && result.dropped > 0 && (
        <p class="notice">{t('{0} older messages are no longer listed.', result.dropped)}</p>
      )}
      <div
        class="turn-grid"
        id="wire-grid"
        role="grid"
        tabIndex={0}
        aria-label={t('Requests')}
        aria-colcount={7}
        aria-rowcount={total}
        aria-activedescendant={isActive ? `wire-${index}` : undefined}
        data-vscode-context='{"preventDefaultContextMenuItems":true}'
        ref={list.ref}
        onScroll={list.onScroll}
        onKeyDown={(event) => onListKey(event, explorer, wirePane.moves(list.pageRows))}
      >
        <ListHeader headings={headingsOf(explorer)} />
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
      {result?.total === 0 && <p class="empty">{t('No requests or notifications found.')}</p>}
      {wire.body !== undefined && <WireDetails explorer={explorer} />}
    </div>
  );
}

function headingsOf({ view, wirePane }: Explorer): readonly Heading[] {
  const { t, wire } = view;
  const by =
    (order: typeof wire.order): (() => void) =>
    () =>
      wirePane.setOrder(order);
  return [
    {
      name: 'turn-cell at',
      title: t('Time'),
      sort: wire.order === 'time' ? 'ascending' : undefined,
      onPress: by('time'),
    },
    { name: 'turn-cell method', title: t('Method') },
    {
      name: 'turn-cell status',
      title: t('Status'),
      sort: wire.order === 'pending' ? 'descending' : undefined,
      onPress: by('pending'),
    },
    {
      name: 'turn-cell took',
      title: t('Duration'),
      sort: wire.order === 'slowest' ? 'descending' : undefined,
      onPress: by('slowest'),
    },
    { name: 'turn-cell took size', title: t('Size') },
    { name: 'turn-cell time', title: t('Timeline') },
    { name: 'turn-cell session', title: t('Session') },
  ];
}

/** The message and its answer, side by side. */
function WireDetails({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, wire } = explorer.view;
  const { wirePane } = explorer;
  const close = (): void => {
    wirePane.close();
    explorer.focusList();
  };
  return (
    <section class="turn-details wire-bodies" role="region" aria-label={t('Details')} onKeyDown={onEscape(close)}>
      <div class="details-bar">
        <IconButton icon="copy" label={t('Copy Request and Answer')} onPress={() => wirePane.copy()} />
        <IconButton icon="output" label={t('Show in Log')} onPress={() => wirePane.showRecord()} />
        <span class="space" />
        <IconButton icon="close" label={t('Close')} onPress={close} />
      </div>
      {wire.body === null && <p class="quiet">{t('Reading the journal…')}</p>}
      {wire.body && wire.body.note !== '' && <p class="notice">{wire.body.note}</p>}
      <div class="pair">
        {wire.body?.texts.map((text) => (
          <div key={text.title}>
            <div class="title">{text.title}</div>
            <RawText t={t} {...text} />
          </div>
        ))}
      </div>
    </section>
  );
}

/** Buttons for common filters and for the sort order. */
export function WireChips({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, number, wire } = explorer.view;
  const { counts } = wire.result ?? {};
  const chip = (label: string, key: string, value: string, count = 0): JSX.Element => (
    <button
      type="button"
      key={label}
      class={count === 0 ? 'chip none' : 'chip'}
      aria-pressed={hasValue(wire.q, key, value)}
      onClick={() => explorer.wirePane.setFilter(toggleValue(wire.q, key, value))}
    >
      <span>{label} </span>
      {count > 0 && <span class="number">{number(count)}</span>}
    </button>
  );
  const order = (label: string, name: 'slowest' | 'pending'): JSX.Element => (
    <button
      type="button"
      class="chip"
      aria-pressed={wire.order === name}
      onClick={() => explorer.wirePane.setOrder(wire.order === name ? 'time' : name)}
    >
      {label}
    </button>
  );
  return (
    <div class="chips" role="group" aria-label={t('Kinds of messages')}>
      {chip(t('Requests'), 'kind', 'request', counts?.requests)}
      {chip(t('Notifications'), 'kind', 'notification', counts?.notifications)}
      {counts !== undefined && counts.http > 0 && chip(t('HTTP'), 'kind', 'http', counts.http)}
      {chip(t('Errors'), 'status', 'error', counts?.errors)}
      {chip(t('Pending'), 'status', 'pending', counts?.pending)}
      {order(t('Slowest first'), 'slowest')}
      {order(t('Pending first'), 'pending')}
    </div>
  );
}
