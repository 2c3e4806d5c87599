import * as vscode from 'vscode';
import { CommandTarget } from '../commandTarget';
import { Disposables } from '../disposables';
import type { RunView } from '../../runs/runView';
import type { Problems } from '../problems';

/** A command: takes a row of the tree, the argument of a caller, or nothing. */
type Command = (arg?: unknown) => Promise<unknown>;

/** Commands by their ids. */
export type CommandTable = Readonly<Record<string, Command>>;

/**
 * Commands whose code is loaded when the first of them is used: most windows never use most of them.
 * @param load is called until it succeeds
 */
export function loadedLater<Id extends string>(
  ids: readonly Id[],
  load: () => Promise<Readonly<Record<Id, Command>>>,
): CommandTable {
  let loading: ReturnType<typeof load> | undefined;
  const loaded = (): ReturnType<typeof load> => {
    // What cannot be loaded now, as while an update is under way, is tried again.
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const command =
    (id: Id): Command =>
    async (arg) =>
      (await loaded())[id](arg);
  return Object.fromEntries(ids.map((id) => [id, command(id)]));
}

/**
 * Registers commands. What goes wrong for a person is told to them once; what goes wrong for code that called with an argument of its own
 * is that code's to handle.
 * @param runOf the run that an argument concerns, for the way to its output
 */
export function registerCommands(
  table: CommandTable,
  problems: Problems,
  runOf: (arg: unknown) => RunView | undefined,
): Disposables {
  const disposables = new Disposables();
  for (const [id, command] of Object.entries(table)) {
    disposables.add(
      vscode.commands.registerCommand(id, async (given?: unknown) => {
        const arg = given ?? undefined; // a key that was pressed while no row has the focus gives null
        try {
          return await command(arg);
        } catch (error) {
          if (arg !== undefined && !(arg instanceof CommandTarget)) throw error;
          // Not awaited: the command has ended, though its notification may stay for long.
          void problems.tell(error, runOf(arg));
          return undefined;
        }
      }),
    );
  }
  return disposables;
}
