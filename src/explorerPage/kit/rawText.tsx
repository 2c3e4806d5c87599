import type { JSX } from 'preact';
import type { Translate } from '../texts';

/** A text of the wire. */
export function RawText(props: {
  readonly t: Translate;
  readonly title: string;
  readonly text: string;
  readonly missing: number;
}): JSX.Element {
  const { t, title, text, missing } = props;
  return (
    <>
      <pre class="raw" tabIndex={0} aria-label={title}>
        {text}
      </pre>
      <Missing t={t} count={missing} />
    </>
  );
}

/** How many characters of a text were cut off, if any. */
export function Missing({ t, count }: { readonly t: Translate; readonly count: number }): JSX.Element | null {
  return count > 0 ? (
    <p class="quiet">{t('{0} more characters aren’t shown. Open Journal at Line has all of it.', count)}</p>
  ) : null;
}
