import * as vscode from 'vscode';
import { FileRun } from '../../runs/files/fileRun';
import { HumanError } from '../../runs/humanError';
import { traceFormats } from '../../runs/export/traceFormat';
import { Cancelled } from '../../runs/waiting';
import { commandIds } from '../ids';
import { withDelayedProgress } from '../delayedProgress';
import { askFile, askTraceFormat, offerToOpen } from '../exportDialogs';
import type { CommandContext, CommandTable } from './commandContext';
import { optionsOf } from './targets';

/** Commands about the spans of runs. */
export class TraceCommands {
  readonly table = {
    [commandIds.exportTrace]: (arg) => this.export(arg),
  } satisfies CommandTable;

  constructor(private readonly services: CommandContext) {}

  /** @param arg `{ runId, uri, format }`; asks for what is missing */
  private async export(arg: unknown): Promise<vscode.Uri | undefined> {
    const run = await this.services.targets.view(arg, () => true, vscode.l10n.t('Select a run to export its trace'));
    if (!run) return undefined;
    const options = optionsOf(arg);
    const format = traceFormats.find((known) => known === options['format']) ?? (await askTraceFormat());
    if (format === undefined) return undefined;
    const given = options['uri'];
    const uri = given instanceof vscode.Uri ? given : await askFile(run, format);
    if (uri === undefined) return undefined;
    if (uri.scheme !== 'file') {
      throw new HumanError(
        vscode.l10n.t('Runs can be exported only to files on the machine where the extension runs.'),
      );
    }
    const { exportTrace } = await import('../../runs/export/exportTrace');
    await withDelayedProgress(vscode.l10n.t('Exporting a run of {0}', run.name), async (token) => {
      if (run instanceof FileRun) await run.read(token);
      if (token.isCancellationRequested) throw new Cancelled();
      const now = run instanceof FileRun ? run.asOf(Date.now()) : Date.now();
      await exportTrace(run, { path: uri.fsPath, format, now });
    });
    if (given === undefined) void offerToOpen(uri);
    return uri;
  }
}
