import type { JSX } from 'preact';
import type { Explorer } from '../explorer';
import { toggleTerm, hasTerm } from './wireFilter';

/** Buttons for common filters and for the sort order. */
export function WireChips({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, wire } = explorer.view;
  const { wireTexts: texts } = strings;
  const { counts } = wire.result ?? {};
  const chip = (label: string, key: string, value: string, count = 0): JSX.Element => (
    <button
      type="button"
      key={label}
      class={count === 0 ? 'chip none' : 'chip'}
      aria-pressed={hasTerm(wire.q, key, value)}
      onClick={() => explorer.wirePane.setFilter(toggleTerm(wire.q, key, value))}
    >
      <span>{label} </span>
      {count > 0 && <span class="number">{count.toLocaleString(strings.locale)}</span>}
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
    <div class="chips" role="group" aria-label={texts.chips}>
      {chip(texts.requests, 'kind', 'request', counts?.requests)}
      {chip(texts.notifications, 'kind', 'notification', counts?.notifications)}
      {counts !== undefined && counts.http > 0 && chip(texts.http, 'kind', 'http', counts.http)}
      {chip(texts.errors, 'status', 'error', counts?.errors)}
      {chip(texts.pending, 'status', 'pending', counts?.pending)}
      {order(texts.slowest, 'slowest')}
      {order(texts.pendingFirst, 'pending')}
    </div>
  );
}
