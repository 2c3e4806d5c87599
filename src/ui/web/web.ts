import type { ExtensionContext } from 'vscode';
import * as vscode from 'vscode';
import { prefix } from '../ids';
import { showInformation } from '../notify';
import { declaredCommands, toldOnce } from './instead';

/**
 * The extension in vscode.dev and github.dev. Agents are processes, which can't run in a browser, so it only reports that, once when it starts
 * and for every command.
 */
export function activate({ extension, globalState, subscriptions }: ExtensionContext): void {
  const tell = async (): Promise<void> => {
    const more = vscode.l10n.t('Learn How');
    const message = vscode.l10n.t(
      "Agent Logs can't run agents in a browser. Open this folder in VS Code on the desktop, in a codespace, or over Remote-SSH, WSL or a dev container.",
    );
    const picked = await showInformation(message, more);
    if (picked !== more) return;
    await vscode.env.openExternal(vscode.Uri.parse('https://code.visualstudio.com/docs/remote/remote-overview'));
  };
  for (const id of declaredCommands(extension.packageJSON)) {
    subscriptions.push(vscode.commands.registerCommand(id, tell));
  }
  if (toldOnce(globalState, `${prefix}.web.told`)) return;
  void tell();
}
