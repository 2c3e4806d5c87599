import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RunEnd } from '../explorer/page/messages';
import type { Explorer } from './explorer';
import { Icon, IconButton } from './kit/icons';

/** How the run ended, until the user closes it. */
export function EndCard({ explorer }: { readonly explorer: Explorer }): JSX.Element | null {
  const { t, run, tab } = explorer.view;
  const [closed, close] = useState<RunEnd | undefined>(undefined);
  const { end } = run;
  if (!end || tab !== 'log' || closed?.title === end.title) return null;
  return (
    <section class={end.isFailure ? 'end-card failed' : 'end-card'} aria-label={t('How the run ended')}>
      <div class="end-line">
        <Icon name={end.isFailure ? 'error' : 'info'} />
        <strong>{end.title}</strong>
        {end.buttons.map(({ action, label }) => (
          <button type="button" class="secondary" key={action} onClick={() => explorer.act(action)}>
            {label}
          </button>
        ))}
        <IconButton icon="close" label={t('Close')} onPress={() => close(end)} />
      </div>
      {end.advice !== '' && <p>{end.advice}</p>}
      {end.stderr !== '' && (
        <pre tabIndex={0} aria-label={t('Standard error')}>
          {end.stderr}
        </pre>
      )}
    </section>
  );
}
