import * as vscode from 'vscode';
import { isObject } from '../../protocols/json';
import { inspectSetting } from '../configuration';
import { prefix } from '../ids';

const editor = 'workbench.action.openSettings';

/** A command of VS Code. */
export type Way = Pick<vscode.Command, 'command'> & { readonly arguments: readonly unknown[] };

/**
 * Opens the settings file that has one of our settings of the scope `machine` or `machine-overridable`, at its place, where mistakes are
 * marked. What a folder's settings have, and what isn't set yet, is opened in the settings editor.
 * @param name behind `agentLogs.`
 * @param holds whether what stands there is what is meant
 */
export function wayToSetting(name: string, holds = (value: unknown): boolean => value !== undefined): Way {
  const key = `${prefix}.${name}`;
  const found = inspectSetting(name);
  const inFile = (command: string): Way => ({ command, arguments: [{ revealSetting: { key } }] });
  if (!holds(found?.workspaceFolderValue)) {
    if (holds(found?.workspaceValue)) return inFile('workbench.action.openWorkspaceSettingsFile');
    if (holds(found?.globalValue)) return inFile(ownFile());
  }
  return { command: editor, arguments: [key] };
}

/** The same for the entry of an agent, or for all of `agentLogs.agents`. */
export function wayToAgent(agent: string | undefined): Way {
  const way = wayToSetting('agents', (value) => isObject(value) && Object.hasOwn(value, agent ?? ''));
  return way.command === editor ? wayToSetting('agents') : way;
}

/** The person's own; where the extension runs elsewhere, such settings count only there. */
function ownFile(): string {
  const isElsewhere = vscode.env.remoteName !== undefined;
  return `workbench.action.${isElsewhere ? 'openRemoteSettingsFile' : 'openSettingsJson'}`;
}

export async function go({ command, arguments: args }: Way): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}
