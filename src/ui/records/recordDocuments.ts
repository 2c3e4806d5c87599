import * as vscode from 'vscode';
import type { LogRecord } from '../../log/record';
import { shortId } from '../../log/sessionLabel';
import { oneLine } from '../../log/text';
import type { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import { Disposables } from '../disposables';

const scheme = 'agent-logs-record';

/** Records as read-only documents: all fields as JSON, and the raw line. */
export class RecordDocuments implements vscode.TextDocumentContentProvider {
  private readonly disposables = new Disposables();

  constructor(private readonly runs: Runs) {
    this.disposables.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  /** Shows a record beside what the person is doing; the next one takes its place. */
  async open(run: Run, record: LogRecord): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${run.id}/${record.seq} ${fileName(record)}.json` });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
      preview: true,
      preserveFocus: true,
    });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const [, runId = '', file = ''] = uri.path.split('/');
    const run = this.runs.find(runId);
    const record = run?.log.store.get(Number.parseInt(file, 10));
    if (!run || !record) return JSON.stringify(vscode.l10n.t('This record is no longer in memory.'));
    return describeRecord(record, run.log.store.raw(record.seq));
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

/** All fields of a record and the line it was read from, as indented JSON. Times are in ISO 8601. */
export function describeRecord(record: LogRecord, raw: string | undefined): string {
  const { receivedAt, time, sessionId, ...fields } = record;
  const { seq, level, kind, logger, message, data } = fields;
  const lines = raw?.split('\n');
  return JSON.stringify(
    {
      seq,
      receivedAt: new Date(receivedAt).toISOString(),
      ...(time !== undefined && { time: new Date(time).toISOString() }),
      level,
      kind,
      ...(sessionId !== undefined && { sessionId: `…${shortId(sessionId)}` }),
      logger,
      message,
      data,
      raw: lines?.length === 1 ? lines[0] : lines,
    },
    null,
    2,
  );
}

function fileName(record: LogRecord): string {
  return oneLine(`${record.level} ${record.message}`, 40).replace(/[^\p{L}\p{N} ._-]/gu, '');
}
