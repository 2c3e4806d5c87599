import * as vscode from 'vscode';
import { HumanError } from '../../../text/humanError';
import { shownText } from '../../../text/text';
import { t } from '../../../text/translator';
import { baseName } from '../../../timeline/changes';
import { CommandTarget } from '../../kit/commandTarget';
import { readWithProgress } from '../../kit/delayedProgress';
import { commandIds } from '../../manifest/commands';
import type { CommandContext, CommandTable } from '../commands/commandContext';
import { optional, optionsOf } from '../commands/targets';
import type { Subject } from '../compare/subject';
import { keyOf, nameOf } from '../compare/subject';
import { changedFiles, fileNamed, urisOf } from './changedFiles';

/** Shows what a turn, a session or a run changed in VS Code's diff editors. */
export const changesCommands = {
  [commandIds.showChanges]: showChanges,
} satisfies CommandTable;

/** @param arg a row of the tree, or `{ runId, sessionId?, turn?, file? }`; asks for the run if it is missing */
async function showChanges(services: CommandContext, arg: unknown): Promise<void> {
  const title = vscode.l10n.t('Select a run to show its changes');
  const named = await services.targets.view(arg, title, 'showChanges', vscode.l10n.t('No run has changed a file yet.'));
  if (!named) return;
  const run = await readWithProgress(named, services.fileRuns);
  const options = optionsOf(arg);
  const { sessionId, turn, file } =
    arg instanceof CommandTarget
      ? arg
      : {
          sessionId: optional(options, 'sessionId', 'string'),
          turn: optional(options, 'turn', 'string'),
          file: optional(options, 'file', 'string'),
        };
  if (sessionId !== undefined && !run.log.find(sessionId)) throw new HumanError(t('Unknown session: {0}', sessionId));
  if (turn !== undefined && !run.log.span(turn)) throw new HumanError(t('Unknown turn: {0}', turn));
  await openChanges(services, { run, sessionId, turn }, file);
}

async function openChanges({ documents }: CommandContext, subject: Subject, path: string | undefined): Promise<void> {
  const key = keyOf(subject);
  const files = changedFiles(subject.run, key);
  const file = path === undefined ? undefined : fileNamed(files, path);
  if (files.length === 0 || (path !== undefined && !file)) throw new HumanError(t('No changes are recorded.'));
  const sides = (file ? [file] : files).map((each) => ({ each, uris: urisOf(key, each) }));
  documents.renew(sides.flatMap(({ uris }) => uris));
  if (file) {
    const [before, after] = urisOf(key, file);
    const title = `${shownText(baseName(file.path))} (${nameOf(subject)})`;
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
    return;
  }
  const resources = sides.map(({ each: { kind }, uris: [before, after] }) => [
    after,
    kind === 'created' ? undefined : before,
    kind === 'deleted' ? undefined : after,
  ]);
  await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Changes: {0}', nameOf(subject)), resources);
}
