import * as vscode from 'vscode';
import { lazy } from '../../../text/lazy';
import { isObject } from '../../../text/json';
import { Dismissed } from '../../../time/waiting';
import { CommandTarget, targetOf } from '../../kit/commandTarget';
import { Disposables } from '../../kit/disposables';
import { commandIds } from '../../manifest/commands';
import type { CommandServices } from './commandContext';

/**
 * Registers all commands of the extension; their code loads with the first one used. If a command was started by a click or a shortcut, its
 * errors are shown; if it was called with an argument of the caller's own, the caller gets them.
 */
export function registerCommands(
  services: CommandServices,
  load = lazy(async () => (await import('./commandTable')).commandRunner(services)),
): Disposables {
  const { runs, levels, errors } = services;
  const disposables = new Disposables();
  for (const id of Object.values(commandIds)) {
    const run = async (arg: unknown, isClick: boolean): Promise<unknown> => {
      try {
        return await (
          await load()
        )(id, arg);
      } catch (error) {
        if (error instanceof Dismissed) return undefined;
        if (!isClick) throw error;
        // Not awaited: the command has ended, but its notification may stay open.
        void errors.report(error, arg instanceof CommandTarget ? arg.runAmong(runs) : undefined);
        return undefined;
      }
    };
    const start = async (given?: unknown, ...others: readonly unknown[]): Promise<unknown> => {
      const arg = targetOf(given ?? undefined); // VS Code passes null for a shortcut pressed while no row has the focus.
      const isClick = isFromClick(arg, others);
      const selected = isClick ? selectedFiles(others) : [];
      if (selected.length < 2) return run(arg, isClick);
      const results: unknown[] = [];
      for (const file of selected) results.push(await run(file, isClick));
      return results;
    };
    disposables.add(vscode.commands.registerCommand(id, start));
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

/**
 * Whether VS Code runs a command for a click or a shortcut. Besides the row, a menu passes what is selected; that of a file or an editor the
 * selected files or the group of editors; that of a page an object with the page. A link of ours (`commandLink`) says that it is one.
 */
function isFromClick(arg: unknown, others: readonly unknown[]): boolean {
  return (
    arg === undefined ||
    arg instanceof CommandTarget ||
    others.some((other) => other !== undefined && other !== null) ||
    (isObject(arg) && typeof arg['webview'] === 'string')
  );
}

/** The files that are selected in VS Code's Explorer. */
function selectedFiles([selected]: readonly unknown[]): readonly vscode.Uri[] {
  return Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
}
