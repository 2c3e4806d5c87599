import * as vscode from 'vscode';
import type { RunView } from '../runs/runView';
import type { CommandTarget } from './commandTarget';
import { agentTarget, runTarget } from './commandTarget';
import { commandIds } from './ids';

/** The button of a notification that leads to what the log says of it. */
export interface WayToLog {
  readonly title: string;
  show(): Thenable<unknown>;
}

/** The way to the output of a run. */
export function outputOf(run: RunView): WayToLog {
  return outputOfTarget(runTarget(run));
}

/** The way to the output of an agent's latest run. */
export function outputOfAgent(name: string): WayToLog {
  return outputOfTarget(agentTarget(name));
}

function outputOfTarget(target: CommandTarget): WayToLog {
  return {
    title: vscode.l10n.t('Show Output'),
    show: () => vscode.commands.executeCommand(commandIds.showOutput, target),
  };
}
