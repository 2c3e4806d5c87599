import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExportFormat } from '../runs/export/exportFormat';
import { exportFormats } from '../runs/export/exportFormat';
import type { TraceFormat } from '../runs/export/traceFormat';
import { traceFormats } from '../runs/export/traceFormat';
import type { RunView } from '../runs/runView';
import { showInformation } from './notify';
import { pick } from './pick';

/** In which form to export. */
export function askFormat({ journal }: RunView): Promise<ExportFormat | undefined> {
  const names: Readonly<Record<ExportFormat, string>> = {
    text: vscode.l10n.t('Plain text: a line for each record'),
    jsonl: vscode.l10n.t('JSON lines: each record as JSON (NDJSON)'),
    journal: vscode.l10n.t('Journal: every message as it crossed (NDJSON)'),
  };
  const formats = exportFormats.filter((format) => format !== 'journal' || journal !== undefined);
  return pick(
    formats.map((value) => ({ label: names[value], value })),
    { title: vscode.l10n.t('Export in which form?') },
  );
}

/** In which form to export a trace. */
export function askTraceFormat(): Promise<TraceFormat | undefined> {
  const names: Readonly<Record<TraceFormat, string>> = {
    chrome: vscode.l10n.t('Chrome Trace Event: opens in Perfetto and chrome://tracing (JSON)'),
    otlp: vscode.l10n.t('OpenTelemetry: spans without message content (OTLP/JSON)'),
  };
  return pick(
    traceFormats.map((value) => ({ label: names[value], value })),
    { title: vscode.l10n.t('Export in which form?') },
  );
}

/** Says where the export is, and offers to open it. */
export async function offerToOpen(run: RunView, uri: vscode.Uri): Promise<void> {
  const open = vscode.l10n.t('Open');
  const picked = await showInformation(
    vscode.l10n.t(
      'The run of {0} was exported to {1}. Look through it for what must stay private before you share it.',
      run.name,
      vscode.workspace.asRelativePath(uri),
    ),
    open,
  );
  if (picked !== open) return;
  try {
    await vscode.window.showTextDocument(uri, { preview: true });
  } catch {
    await vscode.commands.executeCommand('revealFileInOS', uri); // It may be too large for an editor.
  }
}

/** What the name of an exported file ends in. */
const endings: Readonly<Record<ExportFormat | TraceFormat, string>> = {
  text: '.log',
  jsonl: ' records.ndjson',
  journal: '.ndjson',
  chrome: ' trace.json',
  otlp: ' otlp.json',
};

/** Where to export to. */
export function askFile(run: RunView, format: ExportFormat | TraceFormat): Thenable<vscode.Uri | undefined> {
  const time = new Date(run.startedAt).toISOString().slice(0, 19).replace(/[:]/g, '-');
  const name = `${run.name.replace(/[^\p{L}\p{N}_-]+/gu, '-')} ${time}${endings[format]}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    defaultUri: folder.scheme === 'file' ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(join(homedir(), name)),
    title: vscode.l10n.t('Export a run of {0}', run.name),
  });
}
