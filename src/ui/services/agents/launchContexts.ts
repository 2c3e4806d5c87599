import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { AgentDefinition, LaunchContext } from '../../../live/config/launchSpec';
import { inputsOf, needsFolder } from '../../../live/config/launchSpec';
import { Dismissed } from '../../../time/waiting';
import { openFolders } from '../../kit/folders';
import { labelText } from '../../kit/notify';
import { pick } from '../../kit/pick';

/** Values for the variables in agents' settings. Remembers what the user picked and entered in this window. */
export class LaunchContexts {
  /** Picked workspace folders by agent name. */
  private readonly chosenFolders = new Map<string, string>();
  /** Values of `${input:NAME}`. */
  private readonly lastInputs = new Map<string, string>();

  /** The values without those of inputs. The folder is the one in the settings, the user's pick, or the first. */
  of(agent: AgentDefinition): LaunchContext {
    const folders = openFolders();
    const chosen = folders.find(({ path }) => path === (agent.folder ?? this.chosenFolders.get(agent.name)));
    return {
      workspaceFolder: agent.folder ?? (chosen ?? folders[0])?.path,
      workspaceFolders: folders,
      userHome: homedir(),
      env: process.env,
    };
  }

  /**
   * Asks for the folder if there are several and the agent depends on it.
   * @param again reuses the folder of the agent's last run
   * @throws Dismissed if the user dismisses the picker
   */
  async chooseFolder(agent: AgentDefinition, again: boolean): Promise<void> {
    const folders = openFolders();
    const last = this.chosenFolders.get(agent.name);
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
    if (path === undefined) throw new Dismissed();
    this.chosenFolders.set(agent.name, path);
  }

  /**
   * Asks for the values of `${input:NAME}`, such as the prompt of a command-line agent, and suggests the last ones.
   * @param asksAgain whether to ask again for values already entered in this window
   * @throws Dismissed
   */
  async askInputs(agent: AgentDefinition, asksAgain: boolean): Promise<Readonly<Record<string, string>>> {
    const given: Record<string, string> = {};
    for (const name of inputsOf(agent)) {
      const key = `${agent.name}:${name}`;
      const last = this.lastInputs.get(key);
      const value = last !== undefined && !asksAgain ? last : await askInput(agent.name, name, last ?? '');
      this.lastInputs.set(key, value);
      given[name] = value;
    }
    return given;
  }
}

function folderOfEditor(): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
}

async function askInput(agentName: string, name: string, proposed: string): Promise<string> {
  const { secretKind } = await import('../../../redact/names');
  const value = await vscode.window.showInputBox({
    title: vscode.l10n.t('{0}: {1}', agentName, name),
    value: proposed,
    // A prompt may be long, and copied from elsewhere.
    ignoreFocusOut: true,
    password: secretKind(name) !== undefined,
  });
  if (value === undefined) throw new Dismissed();
  return value;
}
