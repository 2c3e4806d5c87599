import * as vscode from 'vscode';
import type { NamedFolder } from '../../live/config/launchSpec';

/** The workspace folders on this machine's disk. Agents can't work in virtual ones. */
export function openFolders(): readonly NamedFolder[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}
