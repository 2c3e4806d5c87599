import { t } from '../../text/translator';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExportFormat, TraceFormat } from '../../export/exportFormat';
import type { RunView } from '../../runLog/runView';
import { isFileRun } from '../../past/files/fileRuns';
import { HumanError } from '../../text/humanError';
import type { Configuration } from './configuration';
import { withDelayedProgress } from '../kit/delayedProgress';
import { showInformation } from '../kit/notify';
import { pick } from '../kit/pick';
import { fileRunOptions } from './runs/fileRunOptions';
import { openFile } from '../kit/openFile';

/** Asks for the format of an export. */
export function askFormat({ journal }: RunView): Promise<ExportFormat | undefined> {
  const journalName = vscode.l10n.t('Journal (the protocol messages, as NDJSON)');
  return pick<ExportFormat>(
    [
      ...(journal ? [{ label: journalName, value: 'journal' as const }] : []),
      { label: vscode.l10n.t('Plain text (one line per record)'), value: 'text' },
      { label: vscode.l10n.t('JSON lines (one JSON object per record)'), value: 'jsonl' },
    ],
    { title: vscode.l10n.t('Select a format') },
  );
}

/** Asks for the format of a trace. */
export function askTraceFormat(): Promise<TraceFormat | undefined> {
  return pick<TraceFormat>(
    [
      { label: vscode.l10n.t('Chrome Trace Event (JSON for Perfetto and chrome://tracing)'), value: 'chrome' },
      { label: vscode.l10n.t('OpenTelemetry (OTLP/JSON spans without message content)'), value: 'otlp' },
    ],
    { title: vscode.l10n.t('Select a format') },
  );
}

/** Writes an export, and reports the fraction that is done. */
type WriteExport = (
  path: string,
  token: vscode.CancellationToken,
  onProgress: (fraction: number) => void,
) => Promise<unknown>;

/** How an export is called. */
interface ExportWords {
  /** Of the dialog. */
  readonly title: string;
  /** Of the dialog's button. */
  readonly save: string;
  readonly progress: string;
  readonly done: (file: string) => string;
}

function exportWords({ name, protocol }: RunView): ExportWords {
  return {
    title: protocol === 'saved' ? vscode.l10n.t('Export {0}', name) : vscode.l10n.t('Export a run of {0}', name),
    save: vscode.l10n.t('Export'),
    progress: vscode.l10n.t('Exporting a run of {0}', name),
    done: (file) => vscode.l10n.t('Exported to {0}. Check it for private data before you share it.', file),
  };
}

function copyWords({ name }: RunView): ExportWords {
  return {
    title: vscode.l10n.t('Keep a copy of {0}', name),
    save: vscode.l10n.t('Keep Copy'),
    progress: vscode.l10n.t('Copying {0}', name),
    done: (file) => vscode.l10n.t('Copied to {0}. It stays if the agent deletes the session.', file),
  };
}

/**
 * Exports something of a run to a file, with progress if it takes long.
 * @param given the URI of the file; asks for it otherwise, and then offers to open it
 */
export async function exportTo(
  run: RunView,
  format: ExportFormat | TraceFormat,
  given: unknown,
  write: WriteExport,
  words = exportWords(run),
): Promise<vscode.Uri | undefined> {
  const uri = given instanceof vscode.Uri ? given : await askFile(run, endings[format], words);
  if (uri === undefined) return undefined;
  if (uri.scheme !== 'file') {
    throw new HumanError(t('Runs can be exported only to files on the machine where the extension runs.'));
  }
  await withDelayedProgress(words.progress, (token, report) =>
    write(uri.fsPath, token, (fraction) => report(`${Math.floor(fraction * 100)} %`)),
  );
  if (given === undefined) void offerToOpen(uri, words);
  return uri;
}

/** Keeps a saved session as a journal; see `exportTo`. */
export function copyRunTo(run: RunView, given: unknown, configuration: Configuration): Promise<vscode.Uri | undefined> {
  return exportRunTo(run, 'journal', given, configuration, copyWords(run));
}

/** Exports all records of a run; see `exportTo`. */
export function exportRunTo(
  run: RunView,
  format: ExportFormat,
  given: unknown,
  configuration: Configuration,
  words?: ExportWords,
): Promise<vscode.Uri | undefined> {
  const write: WriteExport = async (path, token, onProgress) => {
    const { exportRun } = await import('../../export/exportRun');
    const options = fileRunOptions(configuration, isFileRun(run) ? run.info : undefined);
    await exportRun(run, { path, format, ...options, token, onProgress });
  };
  return exportTo(run, format, given, write, words);
}

/** Reports where the export is, with a button to open it. */
async function offerToOpen(uri: vscode.Uri, { done }: ExportWords): Promise<void> {
  const open = vscode.l10n.t('Open');
  const picked = await showInformation(done(vscode.workspace.asRelativePath(uri)), open);
  if (picked === open) await openFile(uri);
}

/** Suffixes of the names of exported files. */
const endings: Readonly<Record<ExportFormat | TraceFormat, string>> = {
  text: '.log',
  jsonl: ' records.ndjson',
  journal: '.ndjson',
  chrome: ' trace.json',
  otlp: ' otlp.json',
};

/**
 * Asks for the file to export to.
 * @param ending of its name
 */
export function askFile(
  run: Pick<RunView, 'name' | 'startedAt'>,
  ending: string,
  { title, save }: Pick<ExportWords, 'title' | 'save'>,
): Thenable<vscode.Uri | undefined> {
  const time = new Date(run.startedAt).toISOString().slice(0, 19).replace(/[:]/g, '-');
  const words = run.name.match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const name = `${[words.join('-'), time].filter((part) => part !== '').join(' ')}${ending}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    defaultUri: folder.scheme === 'file' ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(join(homedir(), name)),
    title,
    saveLabel: save,
  });
}
