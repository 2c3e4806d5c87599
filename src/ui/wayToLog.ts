import * as vscode from 'vscode';
import type { RunView } from '../runs/runView';
import { commandIds } from './ids';
import type { TreeNode } from './tree/treeNode';
import { agentNode, runNode } from './tree/treeNode';

/** The button of a notification that leads to what the log says of it. */
export interface WayToLog {
  readonly title: string;
  show(): Thenable<unknown>;
}

/** The way to the output of a run. */
export function outputOf(run: RunView): WayToLog {
  return outputOfRow(runNode(run));
}

/** The way to the output of an agent's latest run. */
export function outputOfAgent(name: string): WayToLog {
  return outputOfRow(agentNode(name));
}

/** Like that of a row, an error on the way is told to the person. */
function outputOfRow(row: TreeNode): WayToLog {
  return {
    title: vscode.l10n.t('Show Output'),
    show: () => vscode.commands.executeCommand(commandIds.showOutput, row),
  };
}
