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
  // Each page is one text at once: joining all lines at the end took longer than a pause may last.
  const pages: string[] = [];
  let count = 0;
  for await (const records of new RecordPages(log.store, { codes }).newestFirst()) {
    const shown = records.slice(count - maxRecords);
    if (shown.length > 0) pages.push(shown.map((record) => logLine(record, categoryOf(record, labelOf))).join('\n'));
    if ((count += shown.length) >= maxRecords) break;
  }
  const missing = log.store.dropped + log.store.count(codes) - count;
  return [
    ...(missing === 0
      ? []
      : [vscode.l10n.t("{0} older records aren't in this document. Export the run to see all of them.", missing)]),
    ...pages.reverse(),
    ...(state.type === 'ended' ? ['', describeTermination(run.name, state.termination, undefined, l10n)] : []),
    '',
  ].join('\n');
}
