import * as vscode from 'vscode';
import { oneLine } from '../log/text';
import type { LogLink } from './logLink';

const maxMessage = 600;

/** How long a brief message stays in the status bar, in milliseconds. */
const briefMs = 5000;

/** Shows the result of a command in the status bar, for when there is nothing to do about it. */
export function showBriefly(message: string): void {
  vscode.window.setStatusBarMessage(labelText(message, 200), briefMs);
}

/** Shows a message; returns the title of the button that was clicked. */
export function showInformation(message: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(unlinked(message), ...buttons);
}

/** Shows a warning with a button for the log; returns the title of any other button that was clicked. */
export async function showWarning(
  message: string,
  log: LogLink,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const [show, ...items] = buttonsOf(log, buttons);
  return orLog(await vscode.window.showWarningMessage(unlinked(message), ...items, show), show, log);
}

/** Shows an error with a button for the log; returns the title of any other button that was clicked. */
export async function showError(
  message: string,
  log: LogLink,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const [show, ...items] = buttonsOf(log, buttons);
  return orLog(await vscode.window.showErrorMessage(unlinked(message), ...items, show), show, log);
}

/** Asks before something that can't be undone. Returns whether the user clicked the button. */
export async function confirm(message: string, detail: string, button: string): Promise<boolean> {
  const options = { modal: true, detail: oneLine(detail, maxMessage) };
  return (await vscode.window.showWarningMessage(oneLine(message, maxMessage), options, button)) === button;
}

/** The button for the log, then the others. Items, not titles, because a language server's button may have the same title. */
function buttonsOf(log: LogLink, titles: readonly string[]): [vscode.MessageItem, ...vscode.MessageItem[]] {
  return [{ title: log.title }, ...titles.map((title) => ({ title }))];
}

async function orLog(
  picked: vscode.MessageItem | undefined,
  show: vscode.MessageItem,
  log: LogLink,
): Promise<string | undefined> {
  if (picked !== show) return picked?.title;
  await log.show();
  return undefined;
}

/**
 * Keeps text from an agent from becoming a link: VS Code makes links, even to commands, of `[text](target)` in notifications, their progress,
 * and prompts of input boxes.
 */
export function unlinked(message: string, max = maxMessage): string {
  return oneLine(message, max).replaceAll('](', '] (');
}

/** Keeps text from outside from becoming an icon in a label, where VS Code replaces `$(name)`. */
export function labelText(text: string, max = 100): string {
  return oneLine(text, max).replaceAll('$(', '$ (');
}
