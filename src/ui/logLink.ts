import * as vscode from 'vscode';
import type { RunView } from '../runs/runView';
import type { CommandTarget } from './commandTarget';
import { agentTarget, runTarget } from './commandTarget';
import { commandIds } from './ids';

/** A notification's button that opens a log. */
export interface LogLink {
  readonly title: string;
  show(): Thenable<unknown>;
}

/** Opens the output of a run. */
export function outputLink(run: RunView): LogLink {
  return linkTo(runTarget(run));
}

/** Opens the output of an agent's latest run. */
export function agentOutputLink(name: string): LogLink {
  return linkTo(agentTarget(name));
}

function linkTo(target: CommandTarget): LogLink {
  return {
    title: vscode.l10n.t('Show Output'),
    show: () => vscode.commands.executeCommand(commandIds.showOutput, target),
  };
}
