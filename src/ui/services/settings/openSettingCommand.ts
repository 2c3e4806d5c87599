import * as vscode from 'vscode';
import { isObject } from '../../../text/json';
import { inspectSetting } from '../configuration';
import { prefix } from '../../manifest/names';
import { settingsPathOf } from '../../../runs/settingsPath';

const editor = 'workbench.action.openSettings';

/** A command of VS Code, with its arguments. */
export type BuiltInCommand = Pick<vscode.Command, 'command'> & { readonly arguments: readonly unknown[] };

/**
 * Opens one of our settings of scope `application`, `machine` or `machine-overridable`: in the settings file that has it, where mistakes are
 * marked, or in the settings editor if it isn't set or a folder's settings have it.
 * @param name without the prefix `agentLogs.`
 * @param matches whether a value is the one to open
 * @param scope where it counts in a remote window: in the user's own settings (`application`), or in the remote ones
 */
export function openSettingCommand(
  name: string,
  matches = (value: unknown): boolean => value !== undefined,
  scope: 'application' | 'machine' = 'machine',
): BuiltInCommand {
  const key = `${prefix}.${name}`;
  const found = inspectSetting(name);
  const inFile = (command: string): BuiltInCommand => ({ command, arguments: [{ revealSetting: { key } }] });
  if (!matches(found?.workspaceFolderValue)) {
    if (matches(found?.workspaceValue)) return inFile('workbench.action.openWorkspaceSettingsFile');
    if (matches(found?.globalValue)) return inFile(openUserSettings(scope));
  }
  return { command: editor, arguments: [key] };
}

/** Opens the entry of an agent in `agentLogs.agents`, or the whole setting. */
export function openAgentCommand(agent: string | undefined): BuiltInCommand {
  const command = openSettingCommand('agents', (value) => isObject(value) && Object.hasOwn(value, agent ?? ''));
  return command.command === editor ? openSettingCommand('agents') : command;
}

/** Opens the entry of an agent, and selects its name if a settings file has it. */
export async function openAgentSetting(agent: string | undefined): Promise<void> {
  await executeCommand(openAgentCommand(agent));
  const editor = vscode.window.activeTextEditor;
  const path = editor && settingsPathOf(editor.document.uri.path);
  if (!path || agent === undefined) return;
  const { agentNameIn } = await import('../../../runs/settingsMistakes');
  const { document } = editor;
  const name = agentNameIn(document.getText(), path, agent);
  if (!name) return;
  const range = new vscode.Range(document.positionAt(name.start), document.positionAt(name.end));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function openUserSettings(scope: 'application' | 'machine'): string {
  const isRemote = vscode.env.remoteName !== undefined && scope === 'machine';
  return `workbench.action.${isRemote ? 'openRemoteSettingsFile' : 'openSettingsJson'}`;
}

export async function executeCommand({ command, arguments: args }: BuiltInCommand): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}
