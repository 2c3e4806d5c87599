import * as vscode from 'vscode';
import { indentedJson } from '../../log/jsonText';
import { boundedJson } from '../../log/boundedJson';
import { isVisible } from '../../log/query/visibility';
import { categoryOf, logLine } from '../../log/format';
import { sessionLabel } from '../../log/sessionLabel';
import { describeTermination } from '../../log/termination';
import type { LogRecord } from '../../log/record';
import { shownText } from '../../log/text';
import type { RunView } from '../../runs/runView';
import { rawLine, recordDetails } from '../explorer/record/recordDetails';
import { recordMarkdown } from '../explorer/record/recordMarkdown';
import { l10n } from '../translate';

/** In UTF-16 units; editors are slow with longer texts. */
const maxText = 1_000_000;
/** Maximum number of records in a document: VS Code is slow with longer ones. */
const maxRecords = 50_000;

/** Describes a record or a problem in Markdown, for screen readers, for diffs, and to share. */
export function describeInMarkdown(record: LogRecord, run: RunView): string {
  const details = recordDetails(record, run, () => []);
  const json = record.data === undefined ? undefined : (indentedJson(record.data) ?? boundedJson(record.data, maxText));
  const data = json !== undefined && json.length > maxText ? boundedJson(record.data, maxText) : json;
  const raw = rawLine(record, run);
  const shown = (text: string | undefined): string | undefined => text && shownText(text.slice(0, maxText));
  return recordMarkdown(details, shown(data), shown(raw));
}

/** The records of a run that reach its level, and its termination, as text. */
export function describeOutput(run: RunView, activity: boolean): string {
  const { log, state } = run;
  const labelOf = (sessionId: string): string => sessionLabel(sessionId, log.find(sessionId)?.title);
  const visible = log.store.query().filter((record) => isVisible(record, { level: run.level, activity }));
  const records = visible.slice(-maxRecords);
  const missing = log.store.dropped + visible.length - records.length;
  const lines = records.map((record) => logLine(record, categoryOf(record, labelOf)));
  return [
    ...(missing === 0
      ? []
      : [vscode.l10n.t("{0} older records aren't in this document. Export the run to see all of them.", missing)]),
    ...lines,
    ...(state.type === 'ended' ? ['', describeTermination(run.name, state.termination, undefined, l10n)] : []),
    '',
  ].join('\n');
}
