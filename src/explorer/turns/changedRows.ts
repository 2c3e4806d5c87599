import { shownLine, shownText } from '../../text/text';
import type { Translator } from '../../text/translator';
import { baseName, changesIn, changesText, fileText } from '../../timeline/changes';
import type { Span } from '../../timeline/span';
import type { SpanRow } from './turnMessages';

const maxPath = 300;

/** What spans changed, in short and by file. @param spans a call alone, or a turn with what is in it */
export function changedRows(spans: readonly Span[], l10n: Translator): Pick<SpanRow, 'changes' | 'files'> {
  const changes = changesIn(spans);
  if (!changes) return { changes: '', files: [] };
  const files = changes.files.map((file) => ({
    path: shownText(shownLine(file.path, maxPath)),
    what: fileText(file, l10n),
  }));
  // The end of a call's title, which may have the path, is cut off first.
  const [only] = spans.length === 1 && files.length === 1 ? files : [];
  return { changes: only ? `${baseName(only.path)} ${only.what}` : changesText(changes, l10n), files };
}
