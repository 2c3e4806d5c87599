import * as vscode from 'vscode';
import type { WebPage } from '../../live/webPage';
import { confirm } from './notify';

/** Pickers and notifications cut longer hosts, in characters. */
const maxShown = 60;

/** Opens a page that a server named. Returns whether the user agreed. */
export async function openPage({ href, host }: WebPage): Promise<boolean> {
  const question = vscode.l10n.t('Open a page on this host?');
  const isKnown = host.length <= maxShown || (await confirm(question, host, vscode.l10n.t('Open Page')));
  // VS Code opens a string unchanged, but re-encodes a `Uri`'s query, which breaks nested URLs.
  return isKnown && vscode.env.openExternal(href as unknown as vscode.Uri);
}
