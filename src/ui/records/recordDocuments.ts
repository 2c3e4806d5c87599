import * as vscode from 'vscode';
import type { LogRecord } from '../../log/record';
import { boundedJson } from '../../log/boundedJson';
import { shortId } from '../../log/sessionLabel';
import { describeTermination } from '../../log/termination';
import { oneLine } from '../../log/text';
import { arrayOf, objectOf } from '../../protocols/json';
import type { RunView } from '../../runs/runView';
import type { RunViews } from '../../runs/runViews';
import type { Configuration } from '../configuration';
import { Disposables } from '../disposables';
import { describeOutput } from './describeOutput';

const scheme = 'agent-logs-record';
const terminationFile = 'termination.txt';
const outputFile = 'output.log';

/** Records as read-only documents: all fields as JSON, and the raw line. */
export class RecordDocuments implements vscode.TextDocumentContentProvider {
  private readonly disposables = new Disposables();

  private readonly changeEmitter = this.disposables.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly runs: RunViews,
    private readonly configuration: Configuration,
  ) {
    this.disposables.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  /** Shows a record beside what the person is doing; the next one takes its place. */
  async open(run: RunView, record: LogRecord): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${run.id}/${record.seq} ${fileName(record)}.json` });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
      preview: true,
      preserveFocus: true,
    });
  }

  /** Shows how a run ended. */
  async openTermination(run: RunView): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${run.id}/${terminationFile}` });
    this.changeEmitter.fire(uri); // it may have ended since it was last shown
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Shows the records of a run as text: what its output channel would have shown. */
  async openOutput(run: RunView): Promise<void> {
    const name = `${fileNameOf(run.name)} ${new Date(run.startedAt).toISOString().slice(0, 19).replace(/[T:]/g, '-')}`;
    const uri = vscode.Uri.from({ scheme, path: `/${run.id}/${name} ${outputFile}` });
    this.changeEmitter.fire(uri); // it may have grown since it was last shown
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const [, runId = '', file = ''] = uri.path.split('/');
    const run = this.runs.find(runId);
    if (run && file === terminationFile) {
      return run.state.type === 'ended'
        ? describeTermination(run.name, run.state.termination)
        : vscode.l10n.t('{0} has not ended, as far as is known.', run.name);
    }
    if (run && file.endsWith(outputFile)) return describeOutput(run, this.configuration.showsActivity);
    const record = run?.log.store.get(Number.parseInt(file, 10));
    if (!run || !record) return JSON.stringify(vscode.l10n.t('This record is no longer in memory.'));
    return describeRecord(record, run.log.store.raw(record.seq), evidenceOf(run, record));
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

/** Data nested deeper is written on one line: indenting it would grow with the square of its depth. */
const maxIndented = 40;
const maxText = 1_000_000;

/** All fields of a record and the line it was read from, as indented JSON. Times are in ISO 8601. */
export function describeRecord(record: LogRecord, raw: string | undefined, evidence: readonly object[] = []): string {
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
    ...(evidence.length > 0 && { evidence }),
    raw: lines?.length === 1 ? lines[0] : lines,
  };
  return JSON.stringify(fields, null, 2);
}

/** The records that a diagnosis was read from, with their lines. */
function evidenceOf({ log }: RunView, { kind, data }: LogRecord): object[] {
  if (kind !== 'diagnosis') return [];
  return arrayOf(objectOf(data)['evidence']).flatMap((seq) => {
    const record = typeof seq === 'number' ? log.store.get(seq) : undefined;
    return record ? [{ seq, level: record.level, message: record.message, raw: log.store.raw(record.seq) }] : [];
  });
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
  return fileNameOf(`${record.level} ${record.message}`);
}

function fileNameOf(text: string): string {
  return oneLine(text, 40).replace(/[^\p{L}\p{N} ._-]/gu, '');
}
