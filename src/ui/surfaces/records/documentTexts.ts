import * as vscode from 'vscode';
import { wantedCodes } from '../../../query/compiledQuery';
import { isVisible } from '../../../query/visibility';
import { categoryOf, logLine } from '../../../text/format';
import { sessionLabel } from '../../../text/sessionLabel';
import { describeTermination } from '../../../wire/termination';
import { RecordPages } from '../../../store/recordPages';
import type { RunView } from '../../../runLog/runView';
import { l10n } from '../../kit/translate';

/** Maximum number of records in a document: VS Code is slow with longer ones. */
const maxRecords = 50_000;

/** The records of a run that reach its level, and its termination, as text. */
export async function describeOutput(run: RunView, activity: boolean): Promise<string> {
  const { log, state } = run;
  const labelOf = (sessionId: string): string => sessionLabel(sessionId, log.find(sessionId)?.title);
  const codes = wantedCodes((record) => isVisible(record, { level: run.level, activity }));
  const parts: (readonly string[])[] = [];
  let count = 0;
  for await (const records of new RecordPages(log.store, { codes }).newestFirst()) {
    parts.push(records.slice(count - maxRecords).map((record) => logLine(record, categoryOf(record, labelOf))));
    if ((count += records.length) >= maxRecords) break;
  }
  const lines = parts.reverse().flat();
  const missing = log.store.dropped + log.store.count(codes) - lines.length;
  return [
    ...(missing === 0
      ? []
      : [vscode.l10n.t("{0} older records aren't in this document. Export the run to see all of them.", missing)]),
    ...lines,
    ...(state.type === 'ended' ? ['', describeTermination(run.name, state.termination, undefined, l10n)] : []),
    '',
  ].join('\n');
}
