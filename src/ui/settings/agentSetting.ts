import * as vscode from 'vscode';
import { isObject } from '../../protocols/json';
import { prefix } from '../ids';

/**
 * Opens the file of settings that holds an agent, at `agentLogs.agents`, where what is wrong is marked. What the settings of a folder hold,
 * and what is not found, is opened in the editor of settings.
 */
export function wayToAgentSetting(agent: string | undefined): Pick<vscode.Command, 'command' | 'arguments'> {
  const holds = (value: unknown): boolean =>
    agent === undefined ? value !== undefined && !isObject(value) : isObject(value) && Object.hasOwn(value, agent);
  const setting = vscode.workspace.getConfiguration(prefix).inspect<unknown>('agents');
  const file = { revealSetting: { key: `${prefix}.agents` } };
  if (holds(setting?.workspaceFolderValue)) {
    return { command: 'workbench.action.openSettings', arguments: [file.revealSetting.key] };
  }
  if (holds(setting?.workspaceValue)) {
    return { command: 'workbench.action.openWorkspaceSettingsFile', arguments: [file] };
  }
  if (holds(setting?.globalValue)) return { command: 'workbench.action.openSettingsJson', arguments: [file] };
  return { command: 'workbench.action.openSettings', arguments: [file.revealSetting.key] };
}
