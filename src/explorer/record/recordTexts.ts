import { boundedJson } from '../../text/boundedJson';
import { indentedJson } from '../../text/jsonText';
import type { LogRecord } from '../../text/record';
import { plainText, shownText } from '../../text/text';
import type { Translator } from '../../text/translator';
import { shownMessage } from '../../diagnosis/diagnosisText';
import type { ExplorerRun } from '../../runLog/explorerRun';
import type { CopyAction } from '../page/messages';
import { describeRecord } from './describeRecord';
import { rawLine, recordDetails } from './recordDetails';
import { recordMarkdown } from './recordMarkdown';

/** In UTF-16 units; editors are slow with longer texts. */
const maxText = 1_000_000;

/** What is copied of records. */
export function copiedText(
  name: CopyAction,
  records: readonly LogRecord[],
  run: ExplorerRun,
  l10n: Translator,
): string {
  const textOf = (record: LogRecord): string => {
    switch (name) {
      case 'copyMessage':
        return plainText(shownMessage(record, l10n));
      case 'copyRaw':
        return shownText(rawLine(record, run) ?? '');
      case 'copyJson':
        return describeRecord(record, run);
      case 'copyMarkdown':
        return describeInMarkdown(record, run, l10n);
    }
  };
  return records.map(textOf).join('\n');
}

/** Describes a record or a problem in Markdown, for screen readers, for diffs, and to share. */
export function describeInMarkdown(record: LogRecord, run: ExplorerRun, l10n: Translator): string {
  const details = recordDetails(record, run, () => [], l10n);
  const json = record.data === undefined ? undefined : (indentedJson(record.data) ?? boundedJson(record.data, maxText));
  const data = json !== undefined && json.length > maxText ? boundedJson(record.data, maxText) : json;
  const raw = rawLine(record, run);
  const shown = (text: string | undefined): string | undefined => text && shownText(text.slice(0, maxText));
  return recordMarkdown(details, shown(data), shown(raw), l10n);
}
