import * as vscode from 'vscode';
import { oneLine } from '../log/text';
import type { Remedy } from '../runs/humanError';
import { HumanError, messageOf } from '../runs/humanError';
import { Cancelled } from '../runs/waiting';
import { commandIds, prefix } from './ids';

interface Button {
  readonly title: string;
  readonly run: () => Thenable<unknown>;
}

/** Tells the person of an error: one notification, what to do about it, and the way to the log. */
export class Problems {
  /** @param runId whose output the "Show Output" button opens */
  async tell(error: unknown, runId?: string): Promise<void> {
    if (error instanceof Cancelled) return;
    const remedies = error instanceof HumanError ? error.remedies : [];
    const buttons = [
      ...(runId === undefined ? [] : [showOutput(runId)]),
      ...remedies.flatMap((remedy) => this.button(remedy)),
    ];
    const picked = await vscode.window.showErrorMessage(
      oneLine(messageOf(error), 600),
      ...buttons.map(({ title }) => title),
    );
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

function showOutput(runId: string): Button {
  return {
    title: vscode.l10n.t('Show Output'),
    run: () => vscode.commands.executeCommand(commandIds.showOutput, runId),
  };
}
