import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ChangedSpan } from '../../explorer/turns/turnMessages';
import type { Explorer } from '../explorer';

/** The files that a span changed. A click shows their texts: in a diff editor, or below if there is none. */
export function ChangedFiles(props: { readonly explorer: Explorer; readonly span: ChangedSpan }): JSX.Element {
  const { explorer, span } = props;
  const { t } = explorer.view;
  const { diffs } = explorer.turns;
  const hasDiff = diffs.has(span);
  return (
    <section class="changed-files" aria-label={t('Changed files')}>
      <div class="title">{t('Changed files')}</div>
      <ul>
        {span.files.map(({ path, what }, index) => (
          <li key={path}>
            {hasDiff ? (
              <button type="button" class="link" onClick={() => diffs.show(span, index)}>
                {path}
              </button>
            ) : (
              <span>{path}</span>
            )}
            <span class="quiet">{what}</span>
          </li>
        ))}
      </ul>
      {hasDiff && span.files.length > 1 && (
        <button type="button" class="link" onClick={() => diffs.show(span)}>
          {t('Show All Changes')}
        </button>
      )}
      {!hasDiff && <Diff explorer={explorer} id={span.id} />}
    </section>
  );
}

/** What changed, as text. */
function Diff({ explorer, id }: { readonly explorer: Explorer; readonly id: string }): JSX.Element | null {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly text: string }>();
  useEffect(() => explorer.ask('turns.changes', { id }, (text) => setLoaded({ id, text })), [id]);
  const text = loaded?.id === id ? loaded.text : '';
  if (text === '') return null;
  return (
    <pre class="raw" tabIndex={0} aria-label={explorer.view.t('Changes')}>
      {text}
    </pre>
  );
}
