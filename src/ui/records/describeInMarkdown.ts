import * as vscode from 'vscode';
import { indentedJson } from '../../log/jsonText';
import { boundedJson } from '../../log/boundedJson';
import type { LogRecord } from '../../log/record';
import { withEscapes } from '../../log/text';
import type { RunView } from '../../runs/runView';
import { pageStrings } from '../explorer/pageStrings';
import { problemText } from '../explorer/problemText';
import { rawLine, recordDetails } from '../explorer/record/recordDetails';
import { recordMarkdown } from '../explorer/record/recordMarkdown';

/** In UTF-16 units; editors are slow with longer texts. */
const maxText = 1_000_000;

/** Describes a record or a problem in Markdown, for screen readers, for diffs, and to share. */
export function describeInMarkdown(record: LogRecord, run: RunView): string {
  const details = recordDetails(record, run, { textOf: problemText, l10n: vscode.l10n, buttonsOf: () => [] });
  const json = record.data === undefined ? undefined : (indentedJson(record.data) ?? boundedJson(record.data, maxText));
  const data = json !== undefined && json.length > maxText ? boundedJson(record.data, maxText) : json;
  const raw = rawLine(record, run);
  const shown = (text: string | undefined): string | undefined => text && withEscapes(text.slice(0, maxText));
  return recordMarkdown(details, pageStrings(), shown(data), shown(raw));
}
