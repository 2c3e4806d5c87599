import * as vscode from 'vscode';
import type { LogRecord } from '../../log/record';
import { boundedJson } from '../../log/boundedJson';
import { shortId } from '../../log/sessionLabel';
import { describeTermination } from '../../log/termination';
import { oneLine } from '../../log/text';
import type { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import { Disposables } from '../disposables';

const scheme = 'agent-logs-record';
const terminationFile = 'termination.txt';

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

  /** Shows how a run ended. */
  async openTermination(run: Run): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${run.id}/${terminationFile}` });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const [, runId = '', file = ''] = uri.path.split('/');
    const run = this.runs.find(runId);
    if (run && file === terminationFile) {
      return run.state.type === 'ended'
        ? describeTermination(run.name, run.state.termination)
        : vscode.l10n.t('{0} is still running.', run.name);
    }
    const record = run?.log.store.get(Number.parseInt(file, 10));
    if (!run || !record) return JSON.stringify(vscode.l10n.t('This record is no longer in memory.'));
    return describeRecord(record, run.log.store.raw(record.seq));
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

/** Data nested deeper is written on one line: indenting it would grow with the square of its depth. */
const maxIndented = 40;
const maxText = 1_000_000;

/** All fields of a record and the line it was read from, as indented JSON. Times are in ISO 8601. */
export function describeRecord(record: LogRecord, raw: string | undefined): string {
  const { seq, receivedAt, time, level, kind, sessionId, logger, message, data } = record;
  const lines = raw?.split('\n');
  const fields = {
    seq,
    receivedAt: isoTime(receivedAt),
    ...(time !== undefined && { time: isoTime(time) }),
    level,
    kind,
    ...(sessionId !== undefined && { sessionId: `…${shortId(sessionId)}` }),
    logger,
    message,
    data: isDeeper(data, maxIndented) ? boundedJson(data, maxText) : data,
    raw: lines?.length === 1 ? lines[0] : lines,
  };
  return JSON.stringify(fields, null, 2);
}

function isoTime(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? String(ms) : time.toISOString();
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function fileName(record: LogRecord): string {
  return oneLine(`${record.level} ${record.message}`, 40).replace(/[^\p{L}\p{N} ._-]/gu, '');
}
