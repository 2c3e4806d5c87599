import * as vscode from 'vscode';
import { t } from '../../../text/translator';
import { HumanError } from '../../../text/humanError';
import type { RunView } from '../../../runLog/runView';
import { CommandTarget } from '../../kit/commandTarget';
import { commandIds } from '../../manifest/commands';
import type { CommandContext, CommandTable } from './commandContext';
import { start } from './runCommands';
import { able, optionsOf } from './targets';

export const replayCommands = { [commandIds.replayRun]: replayRun } satisfies CommandTable;

/**
 * Starts a recorded run as an agent.
 * @param arg a row of the tree, `{ runId }` or `{ uri }`; without it, the run in the explorer, or one that the user picks
 * @returns the id of the new run
 */
async function replayRun(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const source = await sourceOf(services, arg);
  if (source === undefined) return undefined;
  const { name } = await services.launcher.addReplay(source);
  return start(services, name, true);
}

/** A run, or the path of its file. */
async function sourceOf(services: CommandContext, arg: unknown): Promise<RunView | string | undefined> {
  const { targets, explorer, views } = services;
  const { uri, runId } = optionsOf(arg);
  if (uri instanceof vscode.Uri) {
    if (uri.scheme === 'file') return uri.fsPath;
    throw new HumanError(t('Only files on the machine where the extension runs can be opened.'));
  }
  if (arg instanceof CommandTarget || runId !== undefined) return targets.viewOf(arg);
  return (
    explorer.shownRun ??
    targets.ask(
      able(await views.withPast(), 'replayRun'),
      vscode.l10n.t('Select a run to replay'),
      vscode.l10n.t('No run has ended yet.'),
    )
  );
}
