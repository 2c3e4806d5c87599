import * as vscode from 'vscode';
import type { NamedFolder } from '../runs/config/launchSpec';

/** The folders of the workspace that are on the disk of this machine: agents cannot work in those of a virtual workspace. */
export function openFolders(): readonly NamedFolder[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}
