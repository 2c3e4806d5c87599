import * as vscode from 'vscode';
import type { Install } from '../../agents/installs';
import type { HumanError } from '../../text/humanError';
import { showBriefly } from './notify';

/** How to get the program that an error says is missing. */
export async function installFor({ message, missing }: HumanError): Promise<Install | undefined> {
  const { classOfText } = await import('../../work/failures/failureClass');
  if (missing?.type !== 'program' && classOfText(message) !== 'missing-executable') return undefined;
  const { installIn } = await import('../../agents/installs');
  return installIn(message);
}

/** The label of a button that helps to install something. */
export function installLabel({ name, how }: Install): string {
  return isPage(how) ? vscode.l10n.t('Install {0}…', name) : vscode.l10n.t('Copy Install Command');
}

/** Opens the instructions, or copies the command: nothing is installed here. */
export async function showInstall({ how }: Install): Promise<void> {
  if (isPage(how)) {
    await vscode.env.openExternal(vscode.Uri.parse(how));
    return;
  }
  await vscode.env.clipboard.writeText(how);
  showBriefly(vscode.l10n.t('Copied: {0}', how));
}

/** Only our own table has pages. */
function isPage(how: string): boolean {
  return how.startsWith('https://');
}
