import * as vscode from 'vscode';
import type { LogRecord } from '../../../text/record';
import { describeTermination } from '../../../wire/termination';
import { shownLine } from '../../../text/text';
import type { RunView } from '../../../runLog/runView';
import type { RunViews } from '../../../runs/runs';
import type { Comparison } from '../../../timeline/comparison';
import type { Subject, SubjectKey } from '../compare/subject';
import { keyOf, nameOf, namesOf, sideOf } from '../compare/subject';
import type { Configuration } from '../../services/configuration';
import { DisposableOwner } from '../../kit/disposables';
import { l10n } from '../../kit/translate';
import { openFile } from '../../kit/openFile';

/** Of all documents of runs. */
export const scheme = 'agent-logs-record';
/** Of the texts of changed files. */
export const changesAuthority = 'changes';
const terminationFile = 'termination.txt';
const outputFile = 'output.log';
const comparisonFile = 'comparison.txt';

/** Records as read-only documents in Markdown, and how runs ended and what they logged as text. */
export class RecordDocuments extends DisposableOwner implements vscode.TextDocumentContentProvider {
  private readonly changeEmitter = this.own(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly runs: RunViews,
    private readonly configuration: Configuration,
  ) {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  /** Shows a record in a preview editor. */
  open(run: RunView, record: LogRecord): Promise<void> {
    return this.show(run, `${record.seq} ${fileNameOf(`${record.level} ${record.message}`)}.md`);
  }

  /** Shows how a run ended. */
  openTermination(run: RunView): Promise<void> {
    return this.show(run, `${fileNameOf(run.name)} ${terminationFile}`);
  }

  /** Shows the records of a run as text: what its output channel would have shown. */
  openOutput(run: RunView): Promise<void> {
    const started = new Date(run.startedAt).toISOString().slice(0, 19).replace(/[T:]/g, '-');
    return this.show(run, `${fileNameOf(run.name)} ${started} ${outputFile}`);
  }

  /** Shows two turns, sessions or runs side by side, at the first step that differs. */
  async openComparison(own: Subject, other: Subject): Promise<void> {
    const [left, right] = [comparisonUri(own, other), comparisonUri(other, own)];
    this.renew([left, right]);
    const line = (await this.comparison(right))?.line ?? 0;
    const title = namesOf(own, other).join(' ↔ ');
    const options: vscode.TextDocumentShowOptions = { preview: true, selection: new vscode.Range(line, 0, line, 0) };
    await vscode.commands.executeCommand('vscode.diff', left, right, title, options);
  }

  /** What these documents show may have changed. */
  renew(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) this.changeEmitter.fire(uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    if (uri.authority === changesAuthority) {
      const { textOfChange } = await import('../changes/changedFiles');
      return textOfChange(this.runs, uri);
    }
    if (uri.path.endsWith(comparisonFile)) {
      return (await this.comparison(uri))?.text ?? vscode.l10n.t('This run is no longer in memory.');
    }
    const [, runId = '', file = ''] = uri.path.split('/');
    const run = this.runs.find(runId);
    if (run && file.endsWith(terminationFile)) {
      if (run.state.type !== 'ended') {
        return vscode.l10n.t("{0} hasn't ended, as far as Agent Logs can tell.", run.name);
      }
      return describeTermination(run.name, run.state.termination, run.state.at, l10n);
    }
    if (run && file.endsWith(outputFile)) {
      const { describeOutput } = await import('./documentTexts');
      return describeOutput(run, this.configuration.showsActivity);
    }
    const record = run?.log.store.get(Number.parseInt(file, 10));
    if (!run || !record) return vscode.l10n.t('This record is no longer in memory.');
    return this.markdown(run, record);
  }

  private async show(run: RunView, file: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${run.id}/${file}` });
    this.changeEmitter.fire(uri); // It may have changed since it was last shown.
    await openFile(uri);
  }

  private async comparison(uri: vscode.Uri): Promise<Comparison | undefined> {
    const sides = (JSON.parse(uri.query) as readonly SubjectKey[]).map(async (key) => {
      const run = this.runs.find(key.run);
      return run && sideOf(run, key);
    });
    const [own, other] = await Promise.all(sides);
    if (!own || !other) return undefined;
    const { describeSide } = await import('../../../timeline/comparison');
    return describeSide(own, other, l10n);
  }

  /** A record as a readable document. */
  async markdown(run: RunView, record: LogRecord): Promise<string> {
    const { describeInMarkdown } = await import('../../../explorer/record/recordTexts');
    return describeInMarkdown(record, run, l10n);
  }
}

function comparisonUri(own: Subject, other: Subject): vscode.Uri {
  const path = `/${own.run.id}/${fileNameOf(nameOf(own))} ${comparisonFile}`;
  return vscode.Uri.from({ scheme, path, query: JSON.stringify([keyOf(own), keyOf(other)]) });
}

function fileNameOf(text: string): string {
  return shownLine(text, 40).replace(/[^\p{L}\p{N} ._-]/gu, '');
}
