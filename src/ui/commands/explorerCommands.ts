import * as vscode from 'vscode';
import { CommandTarget } from '../commandTarget';
import { tabs } from '../explorer/messages';
import { commandIds } from '../ids';
import type { CommandContext, CommandTable } from './commandContext';
import { optional, optionsOf } from './targets';

/** Commands of the Log Explorer. */
export class ExplorerCommands {
  readonly table = {
    [commandIds.openExplorer]: (arg) => this.open(arg),
    [commandIds.explorerFind]: () => this.find(),
  } satisfies CommandTable;

  constructor(private readonly services: CommandContext) {}

  /** @param arg a row of the tree, or `{ runId, sessionId?, query?, seq?, tab? }`; without it, the user picks a run. Returns the run's ID. */
  private async open(arg: unknown): Promise<string | undefined> {
    const run = await this.services.targets.view(
      arg,
      () => true,
      vscode.l10n.t('Select a run to open in the Log Explorer'),
    );
    if (!run) return undefined;
    const explorers = await this.services.explorer.load();
    if (arg instanceof CommandTarget) {
      await explorers.open({ run, sessionId: arg.record ? undefined : arg.sessionId, seq: arg.record?.seq });
      return run.id;
    }
    const given = optionsOf(arg);
    const sessionId = optional(given, 'sessionId', 'string');
    const query = optional(given, 'query', 'string');
    const seq = optional(given, 'seq', 'number');
    const tab = tabs.find((known) => known === given['tab']);
    await explorers.open({ run, sessionId, query, seq, tab });
    return run.id;
  }

  private async find(): Promise<void> {
    (await this.services.explorer.load()).focusFilter();
  }
}
