import * as vscode from 'vscode';
import { isVisible } from '../../../query/visibility';
import { categoryOf, logLine } from '../../../text/format';
import { sessionLabel } from '../../../text/sessionLabel';
import { describeTermination } from '../../../wire/termination';
import type { RunView } from '../../../runLog/runView';
import { l10n } from '../../kit/translate';

/** Maximum number of records in a document: VS Code is slow with longer ones. */
const maxRecords = 50_000;

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
