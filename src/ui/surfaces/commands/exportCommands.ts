import * as vscode from 'vscode';
import type { Action } from '../../../runs/actions';
import { exportFormats, traceFormats } from '../../../export/exportFormat';
import type { PastExported } from '../../../otlp/engine/sendPastRuns';
import { activeUntil, isFileRun } from '../../../past/files/fileRuns';
import type { RunView } from '../../../runLog/runView';
import { Cancelled } from '../../../time/waiting';
import { askFormat, askTraceFormat, exportRunTo, exportTo } from '../../services/exportDialogs';
import { commandIds } from '../../manifest/commands';
import type { CommandContext, CommandTable } from './commandContext';
import { optional, optionsOf } from './targets';

/** Commands that export runs. Their argument is `{ runId, uri, format }`; they ask for what is missing. */
export const exportCommands = {
  [commandIds.export]: exportRecords,
  [commandIds.exportTrace]: exportTrace,
  [commandIds.exportToOtlp]: exportToOtlp,
} satisfies CommandTable;

async function exportRecords(services: CommandContext, arg: unknown): Promise<vscode.Uri | undefined> {
  const { run, format, uri } = await parse(
    services,
    arg,
    exportFormats,
    vscode.l10n.t('Select a run to export'),
    'export',
  );
  const picked = format ?? (run && (await askFormat(run)));
  return run && picked && exportRunTo(run, picked, uri, services.configuration);
}

async function exportTrace(services: CommandContext, arg: unknown): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('Select a run to export its trace');
  const { run, format, uri } = await parse(services, arg, traceFormats, title, 'exportTrace');
  const picked = format ?? (run && (await askTraceFormat()));
  if (!run || !picked) return undefined;
  return exportTo(run, picked, uri, async (path, token) => {
    const { exportTrace } = await import('../../../export/exportTrace');
    const { FarRuns } = await import('../../../runs/farRuns');
    if (isFileRun(run)) await run.read(token);
    stopIfCancelled(token);
    const far = new FarRuns(services.views, services.fileRuns);
    try {
      const ends = await far.allEndsOf(run);
      stopIfCancelled(token);
      await exportTrace(run, { path, format: picked, now: activeUntil(run), ends });
    } finally {
      far.dispose();
    }
  });
}

/** @param arg `{ filter?, url? }`; with `url`, nothing is asked */
async function exportToOtlp(services: CommandContext, arg: unknown): Promise<PastExported | undefined> {
  const given = optionsOf(arg);
  const { exportPast } = await import('../../services/otlp/exportPast');
  return exportPast(services, { filter: optional(given, 'filter', 'string'), url: optional(given, 'url', 'string') });
}

function stopIfCancelled(token: vscode.CancellationToken): void {
  if (token.isCancellationRequested) throw new Cancelled();
}

async function parse<T>(
  services: CommandContext,
  arg: unknown,
  formats: readonly T[],
  title: string,
  action: Action,
): Promise<{ readonly run: RunView | undefined; readonly format: T | undefined; readonly uri: unknown }> {
  const run = await services.targets.view(arg, title, action, vscode.l10n.t('No run has a turn yet.'));
  const { format, uri } = optionsOf(arg);
  return { run, format: formats.find((known) => known === format), uri };
}
