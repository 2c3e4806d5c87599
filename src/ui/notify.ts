import * as vscode from 'vscode';
import { oneLine } from '../log/text';

const maxMessage = 600;

/** Tells the person something; answers the button that they chose. */
export function tellInformation(message: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(unlinked(message), ...buttons);
}

/** Tells the person of something that may go wrong; answers the button that they chose. */
export function tellWarning(message: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(unlinked(message), ...buttons);
}

/** Tells the person of something that went wrong; answers the button that they chose. */
export function tellError(message: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(unlinked(message), ...buttons);
}

/**
 * VS Code makes links, even to commands, of `[text](target)` in a notification, its progress, and the prompt of an input box. What an agent
 * wrote must not become one.
 */
export function unlinked(message: string, max = maxMessage): string {
  return oneLine(message, max).replaceAll('](', '] (');
}

/** Text from outside in a label of VS Code's, which makes icons of `$(name)`. */
export function labelText(text: string, max = 100): string {
  return oneLine(text, max).replaceAll('$(', '$ (');
}
