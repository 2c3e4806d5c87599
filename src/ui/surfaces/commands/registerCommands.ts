import * as vscode from 'vscode';
import { lazy } from '../../../text/lazy';
import { CommandTarget } from '../../kit/commandTarget';
import { Disposables } from '../../kit/disposables';
import { commandIds } from '../../kit/ids';
import type { CommandServices } from './commandContext';

/**
 * Registers all commands of the extension; their code loads with the first one used. If a command was started by a click or a shortcut, its
 * errors are shown; if it was called with an argument of the caller's own, the caller gets them.
 */
export function registerCommands(services: CommandServices): Disposables {
  const { runs, levels, errors } = services;
  const disposables = new Disposables();
  const load = lazy(async () => (await import('./commandTable')).commandRunner(services));
  for (const id of Object.values(commandIds)) {
    const run = async (given?: unknown): Promise<unknown> => {
      const arg = given ?? undefined; // VS Code passes null for a shortcut pressed while no row has the focus.
      try {
        return await (
          await load()
        )(id, arg);
      } catch (error) {
        if (arg !== undefined && !(arg instanceof CommandTarget)) throw error;
        // Not awaited: the command has ended, but its notification may stay open.
        void errors.report(error, arg?.runAmong(runs));
        return undefined;
      }
    };
    disposables.add(vscode.commands.registerCommand(id, run));
  }
  disposables.add(
    // The gear in the Output view doesn't report results.
    levels.onDidTakeFromGear((change) => {
      if (change.result.agent !== 'needs-restart') return;
      const report = async (): Promise<void> => (await import('./levelReport')).reportLevelChange(change, runs);
      report().catch((error: unknown) => errors.report(error));
    }),
  );
  return disposables;
}
