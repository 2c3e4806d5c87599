import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Explorer } from '../explorer';
import { hasValue, toggleKinds, toggleValue, typedPart } from '../filter/queryText';
import { IconButton } from '../kit/icons';
import { ListView } from '../list/listView';
import { RawText } from '../kit/rawText';
import { WireLook } from './wireLook';
import type { WireTab } from './wireTab';

/** Requests with their answers, and other messages. */
export function WireView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { wire, view } = explorer;
  const { t, tab } = view;
  const look = useMemo(() => new WireLook(t, wire), [wire]);
  useEffect(() => {
    if (tab === 'wire') wire.show();
  }, [tab]);
  const dropped = wire.result?.dropped ?? 0;
  return (
    <ListView
      explorer={explorer}
      tab={wire}
      look={look}
      label={t('Requests')}
      headings={[
        { name: 'time', title: t('Time'), sorts: 'ascending' },
        { name: 'method', title: t('Method'), sorts: 'ascending', isFilling: true },
        { name: 'status', title: t('Status'), sorts: 'ascending' },
        { name: 'took', title: t('Duration'), sorts: 'descending' },
        { name: 'size', title: t('Size'), sorts: 'descending' },
        { name: 'bars', title: t('Timeline') },
        { name: 'session', title: t('Session'), sorts: 'ascending' },
      ]}
      empty={emptyText(explorer)}
      actions={
        <>
          <IconButton icon="copy" label={t('Copy Request and Answer')} onPress={() => wire.list.copy()} />
          <IconButton icon="output" label={t('Show in Log')} onPress={() => wire.showIn('log')} />
        </>
      }
      details={<Bodies wire={wire} explorer={explorer} />}
    >
      {dropped > 0 && <p class="notice">{t('{0} older messages are no longer listed.', dropped)}</p>}
    </ListView>
  );
}

/** Why no message is listed. */
function emptyText({ wire, view }: Explorer): string {
  const { t, run } = view;
  const { of = 0 } = wire.list.state.matches ?? {};
  if (of === 0) return run.isLive ? t('No messages yet.') : t('This run has no messages. What it logged is in Log.');
  if (typedPart(wire.list.state.q) !== '') return t('No message matches the filter. Messages hidden: {0}', of);
  return t('No messages of these kinds. Messages hidden: {0}', of);
}

/** The message and its answer, side by side. */
function Bodies({ wire, explorer }: { readonly wire: WireTab; readonly explorer: Explorer }): JSX.Element {
  const { t } = explorer.view;
  const { body } = wire;
  return (
    <div class="content">
      {!body && <p class="quiet">{t('Reading the journal…')}</p>}
      {body && body.note !== '' && <p class="notice">{body.note}</p>}
      <div class="pair">
        {body?.texts.map((text) => (
          <div key={text.title}>
            <div class="title">{text.title}</div>
            <RawText t={t} {...text} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Buttons for common filters. */
export function WireChips({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { wire, view } = explorer;
  const { t, number } = view;
  const { counts } = wire.result ?? {};
  const { q } = wire.list.state;
  const chip = (
    label: string,
    key: 'kind' | 'status',
    values: readonly [string, ...string[]],
    count = 0,
  ): JSX.Element => (
    <button
      type="button"
      key={label}
      class={count === 0 ? 'chip none' : 'chip'}
      aria-pressed={hasValue(q, key, values[0])}
      onClick={() => wire.list.setFilter(key === 'kind' ? toggleKinds(q, values) : toggleValue(q, key, values[0]))}
    >
      <span>{label} </span>
      {count > 0 && <span class="number">{number(count)}</span>}
    </button>
  );
  return (
    <div class="chips" role="group" aria-label={t('Kinds of messages')}>
      {chip(t('Requests'), 'kind', ['request', 'http'], counts?.requests)}
      {chip(t('Notifications'), 'kind', ['notification'], counts?.notifications)}
      {counts !== undefined && counts.http > 0 && chip(t('HTTP'), 'kind', ['http'], counts.http)}
      {chip(t('Errors'), 'status', ['error'], counts?.errors)}
      {chip(t('Pending'), 'status', ['pending'], counts?.pending)}
    </div>
  );
}
