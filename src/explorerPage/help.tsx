import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Explorer } from './explorer';
import { IconButton } from './kit/icons';
import { onEscape } from './kit/keys';
import type { View } from './view';

/** The keys of the grid. */
export function Help({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t } = explorer.view;
  const dialog = useRef<HTMLDivElement>(null);
  useEffect(() => dialog.current?.focus(), []);
  const close = (): void => {
    explorer.update({ isHelpOpen: false });
    explorer.focusList();
  };
  return (
    <div
      class="help"
      role="dialog"
      aria-label={t('Keyboard shortcuts')}
      tabIndex={-1}
      ref={dialog}
      onKeyDown={onEscape(close)}
    >
      <IconButton icon="close" label={t('Close')} onPress={close} />
      <dl>
        {helpOf(explorer.view).map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Keys, separated by blanks, and what they do. */
function helpOf({ t, run }: View): readonly (readonly [keys: string, does: string])[] {
  return [
    ['↑ ↓ j k', t('Previous or next record')],
    ['PgUp PgDn', t('Previous or next page')],
    ['g G', t('First or last record')],
    ['Enter', t('Open details')],
    ['Esc', t('Close details, then clear the time range')],
    ['/', t('Go to the filter')],
    ['F8', t('Next problem (with Shift: previous)')],
    ['Alt+F8', t('Next warning or error; in Wire and Turns, what failed (with Shift: previous)')],
    ['[ ]', t('Previous or next record of another session')],
    ['Space', t('Pause or follow')],
    ['c', t('Show the records around this one')],
    ['b', t('Bookmark (with Shift: go to the next bookmark)')],
    ['y', t('Copy the message; in Wire, the request and its answer; in Turns, the span')],
    ['1 2 3', t('Log, Wire, Turns')],
    ['s p', t('Wire: slowest or pending first')],
    ['l w t', t('Show in Log, on the wire, in Turns')],
    ['Shift+F10', t('Menu: filter by a value of the row, copy, show elsewhere')],
    ['← → z', t('Turns: fold and unfold, zoom to a span')],
    ['+ - < >', t('Turns: zoom in and out, earlier and later (or drag over the bars)')],
    ['t', t('Turns: time by tool')],
    ...(run.hasEditor ? [['f', t('Turns: show what a turn or a call changed')] as const] : []),
    ...(run.hasEditor ? [['d', t('Turns: compare with another turn')] as const] : []),
  ];
}
