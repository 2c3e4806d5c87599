import * as vscode from 'vscode';
import type { Words } from '../log/translator';
import { translated } from '../log/translator';

/** Words in the display language. A string is shown as it is. */
export function translate(words: Words | string): string {
  return typeof words === 'string' ? words : translated(words, vscode.l10n);
}
