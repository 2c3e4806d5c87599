import type { JSX } from 'preact';
import type { PageStrings } from '../ui/explorer/pageStrings';
import { fill } from './text';

/** A text of the wire. */
export function RawText(props: {
  readonly strings: PageStrings;
  readonly title: string;
  readonly text: string;
  readonly missing: number;
}): JSX.Element {
  const { strings, title, text, missing } = props;
  return (
    <>
      <pre class="raw" tabIndex={0} aria-label={title}>
        {text}
      </pre>
      <Missing strings={strings} count={missing} />
    </>
  );
}

/** How many characters of a text were cut off, if any. */
export function Missing({
  strings,
  count,
}: {
  readonly strings: PageStrings;
  readonly count: number;
}): JSX.Element | null {
  return count > 0 ? <p class="quiet">{fill(strings.missing, count.toLocaleString(strings.locale))}</p> : null;
}
