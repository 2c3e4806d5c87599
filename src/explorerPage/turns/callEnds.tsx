import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BothEnds, CallSide } from '../../explorer/turns/turnMessages';
import type { Explorer } from '../explorer';
import { Fields } from '../kit/fields';
import { Icon } from '../kit/icons';
import type { Translate } from '../texts';

/** What the agent asked beside what the server got, and what was lost between them. */
export function CallEnds(props: { readonly explorer: Explorer; readonly id: string }): JSX.Element | null {
  const { explorer, id } = props;
  const { t } = explorer.view;
  const { now } = explorer.turns;
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly ends: BothEnds | undefined }>();
  // Also when more may be known of it. What is shown of it stays meanwhile.
  useEffect(() => explorer.ask('turns.ends', { id }, (ends) => setLoaded({ id, ends })), [id, now]);
  const ends = loaded?.id === id ? loaded.ends : undefined;
  if (!ends) return null;
  return (
    <section class="both-ends" aria-label={t('Both ends of the call')}>
      <ul class="differences">
        {ends.differences.map(({ text, isLoss }) => (
          <li key={text} class={isLoss ? 'loss' : 'quiet'}>
            <Icon name={isLoss ? 'warning' : 'info'} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <div class="pair">
        {ends.sides.map((side) => (
          <End key={side.title} t={t} side={side} />
        ))}
      </div>
    </section>
  );
}

function End({ t, side }: { readonly t: Translate; readonly side: CallSide }): JSX.Element {
  return (
    <div>
      <h2>{side.title}</h2>
      <Fields fields={side.fields} />
      {side.texts.map(({ title, text, missing }) => (
        <div key={title} class="text">
          <div class="title">{title}</div>
          {text === '' ? (
            <p class="quiet">{t('unknown')}</p>
          ) : (
            <pre class="raw" tabIndex={0} aria-label={`${side.title} · ${title}`}>
              {text}
            </pre>
          )}
          {missing > 0 && <p class="quiet">{t('{0} more characters are in its records.', missing)}</p>}
        </div>
      ))}
    </div>
  );
}
