import * as vscode from 'vscode';
import { isObject } from '../../../text/json';
import { inspectSetting } from '../configuration';
import { prefix } from '../../manifest/names';
import type { SettingEntry } from '../../manifest/settings';
import { settings } from '../../manifest/settings';
import { settingsPathOf } from '../../../runs/settingsPath';

/** A command of VS Code, with its arguments. */
export type BuiltInCommand = Pick<vscode.Command, 'command'> & { readonly arguments: readonly unknown[] };

type Fits = (value: unknown) => boolean;

const isSet: Fits = (value) => value !== undefined;

/**
 * Opens one of our settings of scope `application`, `machine` or `machine-overridable`: in the settings file that has it, where mistakes are
 * marked, or in the settings editor if it isn't set or a folder's settings have it.
 * @param name without the prefix `agentLogs.`
 */
export function openSettingCommand(name: string): BuiltInCommand {
  return openFileCommand(name, isSet) ?? openEditorCommand(name);
}

/** Opens the entry of an agent in `agentLogs.agents`, or the whole setting. */
export function openAgentCommand(agent: string | undefined): BuiltInCommand {
  const hasAgent: Fits = (value) => isObject(value) && Object.hasOwn(value, agent ?? '');
  return openFileCommand('agents', hasAgent) ?? openSettingCommand('agents');
}

/** Opens the settings file that has a value that fits, unless a folder's settings have it. */
function openFileCommand(name: string, fits: Fits): BuiltInCommand | undefined {
  const found = inspectSetting(name);
  const inFile = (file: string): BuiltInCommand => ({
    command: `workbench.action.${file}`,
    arguments: [{ revealSetting: { key: `${prefix}.${name}` } }],
  });
  if (fits(found?.workspaceFolderValue)) return undefined;
  if (fits(found?.workspaceValue)) return inFile('openWorkspaceSettingsFile');
  if (!fits(found?.globalValue)) return undefined;
  return inFile(isRemote(name) ? 'openRemoteSettingsFile' : 'openSettingsJson');
}

/** The user's settings don't list those of a remote machine. */
function openEditorCommand(name: string): BuiltInCommand {
  const editor = isRemote(name) ? 'openRemoteSettings' : 'openSettings';
  return { command: `workbench.action.${editor}`, arguments: [{ query: `${prefix}.${name}` }] };
}

/** Whether a remote window takes a setting from the remote machine. */
function isRemote(name: string): boolean {
  const known: Readonly<Record<string, SettingEntry>> = settings;
  return vscode.env.remoteName !== undefined && known[name]?.scope !== 'application';
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

export async function executeCommand({ command, arguments: args }: BuiltInCommand): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}
