import type { JSX } from 'preact';
import type { Explorer } from '../explorer';
import { IconButton } from '../icons';
import { fill } from '../text';

/** The message and its answer, side by side. */
export function WireDetails({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, wire } = explorer.view;
  const { wirePane } = explorer;
  const close = (): void => {
    wirePane.close();
    document.querySelector<HTMLElement>('#wire-grid')?.focus();
  };
  return (
    <section
      class="turn-details wire-bodies"
      role="region"
      aria-label={strings.details}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <div class="details-bar">
        <IconButton icon="copy" label={strings.wireTexts.copyPair} onPress={() => wirePane.copy()} />
        <IconButton icon="output" label={strings.wireTexts.showRecord} onPress={() => wirePane.showRecord()} />
        <span class="space" />
        <IconButton icon="close" label={strings.closeDetails} onPress={close} />
      </div>
      {wire.body === null && <p class="quiet">{strings.wireTexts.loading}</p>}
      {wire.body && wire.body.note !== '' && <p class="notice">{wire.body.note}</p>}
      <div class="pair">
        {wire.body?.texts.map(({ title, text, missing }) => (
          <div key={title}>
            <div class="title">{title}</div>
            <pre class="raw" tabIndex={0} aria-label={title}>
              {text}
            </pre>
            {missing > 0 && <p class="quiet">{fill(strings.missing, missing.toLocaleString(strings.locale))}</p>}
          </div>
        ))}
      </div>
    </section>
  );
}
