import * as vscode from 'vscode';
import { oneLine } from '../log/text';
import type { WayToLog } from './wayToLog';

const maxMessage = 600;

/** Tells the person something; answers the button that they chose. */
export function tellInformation(message: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(unlinked(message), ...buttons);
}

/** Tells the person of something that may go wrong, with a button that leads to the log; answers any other that they chose. */
export async function tellWarning(
  message: string,
  log: WayToLog,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const [show, ...items] = buttonsOf(log, buttons);
  return orLog(await vscode.window.showWarningMessage(unlinked(message), ...items, show), show, log);
}

/** Tells the person of something that went wrong, likewise. */
export async function tellError(
  message: string,
  log: WayToLog,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const [show, ...items] = buttonsOf(log, buttons);
  return orLog(await vscode.window.showErrorMessage(unlinked(message), ...items, show), show, log);
}

/** Asks before something that can't be undone. Answers whether the person pressed the button. */
export async function confirm(message: string, detail: string, button: string): Promise<boolean> {
  const options = { modal: true, detail: oneLine(detail, maxMessage) };
  return (await vscode.window.showWarningMessage(oneLine(message, maxMessage), options, button)) === button;
}

/** The one that leads to the log, and the others: one of a language server's may be called the same. */
function buttonsOf(log: WayToLog, titles: readonly string[]): [vscode.MessageItem, ...vscode.MessageItem[]] {
  return [{ title: log.title }, ...titles.map((title) => ({ title }))];
}

async function orLog(
  picked: vscode.MessageItem | undefined,
  show: vscode.MessageItem,
  log: WayToLog,
): Promise<string | undefined> {
  if (picked !== show) return picked?.title;
  await log.show();
  return undefined;
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
