import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { AgentDefinition, LaunchContext } from '../../runs/config/launchSpec';
import { needsFolder } from '../../runs/config/launchSpec';
import { Cancelled } from '../../runs/waiting';
import { openFolders } from '../folders';
import { labelText } from '../notify';
import { pick } from '../pick';

/** The workspace folder of each agent: the one in its settings, the only one, or the user's pick. */
export class AgentFolders {
  /** By agent name. */
  private readonly chosen = new Map<string, string>();
  /**
   * Asks for the folder if there are several and the agent depends on it.
   * @param again reuses the folder of the agent's last run
   * @throws Cancelled if the user dismisses the picker
   */
  async choose(agent: AgentDefinition, again: boolean): Promise<void> {
    const folders = openFolders();
    const last = this.chosen.get(agent.name);
    const isKept = again && folders.some(({ path }) => path === last);
    if (folders.length < 2 || !needsFolder(agent) || isKept) return;
    const path = await pick(
      folders.map((folder) => ({
        label: `$(root-folder) ${labelText(folder.name)}`,
        description: folder.path,
        value: folder.path,
      })),
      { title: vscode.l10n.t('Start {0} in which folder?', agent.name), active: last ?? folderOfEditor() },
    );
    if (path === undefined) throw new Cancelled();
    this.chosen.set(agent.name, path);
  }

  /** Values for the variables in an agent's settings. */
  contextFor(agent: AgentDefinition): LaunchContext {
    const folders = openFolders();
    const chosen = folders.find(({ path }) => path === (agent.folder ?? this.chosen.get(agent.name)));
    return {
      workspaceFolder: agent.folder ?? (chosen ?? folders[0])?.path,
      workspaceFolders: folders,
      userHome: homedir(),
      env: process.env,
    };
  }
}

function folderOfEditor(): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
}
