import * as vscode from 'vscode';
import type { Remedy } from '../runs/humanError';
import { HumanError, messageOf } from '../runs/humanError';
import type { RunView } from '../runs/runView';
import type { Runs } from '../runs/runs';
import { Cancelled } from '../runs/waiting';
import { commandIds, prefix } from './ids';
import { tellError } from './notify';
import { runNode } from './tree/treeNode';

interface Button {
  readonly title: string;
  readonly run: () => Thenable<unknown>;
}

/** Tells the person of an error: one notification, what to do about it, and the way to the log. */
export class Problems {
  constructor(private readonly runs: Runs) {}

  /** @param concerned the run that a command was about, where the error does not name one */
  async tell(error: unknown, concerned?: RunView): Promise<void> {
    if (error instanceof Cancelled) return;
    const named = error instanceof HumanError && error.runId !== undefined ? this.runs.find(error.runId) : undefined;
    const run = named ?? concerned;
    const remedies = error instanceof HumanError ? error.remedies : [];
    const buttons = [
      ...(run === undefined ? [] : [showOutput(run)]),
      ...remedies.flatMap((remedy) => this.button(remedy)),
    ];
    const picked = await tellError(messageOf(error), ...buttons.map(({ title }) => title));
    await buttons.find(({ title }) => title === picked)?.run();
  }

  private button(remedy: Remedy): Button[] {
    switch (remedy) {
      case 'settings':
        return [
          {
            title: vscode.l10n.t('Open Setting'),
            run: () => vscode.commands.executeCommand('workbench.action.openSettings', `${prefix}.agents`),
          },
        ];
      case 'trust':
        return [
          { title: vscode.l10n.t('Manage Trust'), run: () => vscode.commands.executeCommand('workbench.trust.manage') },
        ];
      case 'output':
      case 'restart':
        return []; // the run's own buttons
    }
  }
}

function showOutput(run: RunView): Button {
  return {
    title: vscode.l10n.t('Show Output'),
    run: () => vscode.commands.executeCommand(commandIds.showOutput, runNode(run)),
  };
}
