import type { ExtensionContext } from 'vscode';
import * as vscode from 'vscode';
import { prefix } from '../kit/ids';
import { showInformation } from '../kit/notify';

/** Set once the message was shown at a start. */
const shownKey = `${prefix}.web.told`;

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/**
 * The extension in vscode.dev and github.dev. Agents are processes, which can't run in a browser, so it only reports that, once when it starts
 * and for every command.
 */
export function activate({ extension, globalState, subscriptions }: ExtensionContext): void {
  const explain = async (): Promise<void> => {
    const more = vscode.l10n.t('Learn How');
    const message = vscode.l10n.t(
      "Agent Logs can't run agents in a browser. Open this folder in VS Code on the desktop, in a codespace, or over Remote-SSH, WSL or a dev container.",
    );
    const picked = await showInformation(message, more);
    if (picked !== more) return;
    await vscode.env.openExternal(vscode.Uri.parse('https://code.visualstudio.com/docs/remote/remote-overview'));
  };
  for (const { command } of (extension.packageJSON as Manifest).contributes.commands) {
    subscriptions.push(vscode.commands.registerCommand(command, explain));
  }
  if (globalState.get(shownKey) === true) return;
  void globalState.update(shownKey, true);
  void explain();
}
