import * as vscode from 'vscode';
import { shownLine, withoutMarks } from '../../text/text';
import type { RunView } from '../../runLog/runView';
import type { CommandTarget } from './commandTarget';
import { agentTarget, runTarget } from './commandTarget';
import { commandIds } from '../manifest/commands';
import { prefix } from '../manifest/names';

const maxMessage = 600;

/** How long a brief message stays in the status bar, in milliseconds. */
const briefMs = 5000;

/** A notification's button that opens a log. */
export interface LogLink {
  readonly title: string;
  show(): Thenable<unknown>;
}

/** Opens the output of a run. */
export function outputLink(run: RunView): LogLink {
  return linkTo(runTarget(run));
}

/** Opens the output of an agent's latest run. */
export function agentOutputLink(name: string): LogLink {
  return linkTo(agentTarget(name));
}

/** Shows the result of a command in the status bar, for when there is nothing to do about it. */
export function showBriefly(message: string): void {
  vscode.window.setStatusBarMessage(labelText(message, 200), briefMs);
}

/** Shows a message; returns the title of the button that was clicked. */
export function showInformation(message: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(unlinked(message), ...buttons);
}

/**
 * Asks about something that takes longer to read than VS Code shows a notification: until the answer, an item in the status bar opens the
 * notifications.
 */
export async function askAbout(question: string, ...buttons: readonly string[]): Promise<string | undefined> {
  const item = vscode.window.createStatusBarItem(`${prefix}.question`, vscode.StatusBarAlignment.Left);
  item.name = 'Agent Logs';
  const [first = question] = /^[^?]*\?/.exec(question) ?? []; // what follows is in the notification
  item.text = `$(bell-dot) ${labelText(first)}`;
  item.command = 'notifications.showList';
  item.show();
  try {
    return await showInformation(question, ...buttons);
  } finally {
    item.dispose();
  }
}

/** Shows a warning that the user asked for; returns the title of the button that was clicked. */
export function showAlert(message: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(unlinked(message), ...buttons);
}

/** Shows a warning with a button for the log; returns the title of any other button that was clicked. */
export function showWarning(message: string, log: LogLink, ...buttons: readonly string[]): Promise<string | undefined> {
  return showWithLog(vscode.window.showWarningMessage, message, log, buttons);
}

/** Shows an error with a button for the log; returns the title of any other button that was clicked. */
export function showError(message: string, log: LogLink, ...buttons: readonly string[]): Promise<string | undefined> {
  return showWithLog(vscode.window.showErrorMessage, message, log, buttons);
}

/** Asks before something that can't be undone. Returns whether the user clicked the button. */
export async function confirm(message: string, detail: string, button: string): Promise<boolean> {
  const options = { modal: true, detail: withoutMarks(shownLine(detail, maxMessage)) };
  return (
    (await vscode.window.showWarningMessage(withoutMarks(shownLine(message, maxMessage)), options, button)) === button
  );
}

async function showWithLog(
  show: (message: string, ...items: vscode.MessageItem[]) => Thenable<vscode.MessageItem | undefined>,
  message: string,
  log: LogLink,
  buttons: readonly string[],
): Promise<string | undefined> {
  // Items, not titles, because a language server's button may have the same title.
  const openLog = { title: log.title };
  const picked = await show(unlinked(message), ...buttons.map((title) => ({ title })), openLog);
  if (picked !== openLog) return picked?.title;
  await log.show();
  return undefined;
}

/**
 * A message without Markdown, which notifications don't show. Also keeps text from an agent from becoming a link: VS Code makes links, even
 * to commands, of `[text](target)` in notifications, their progress, and prompts of input boxes.
 */
export function unlinked(message: string, max = maxMessage): string {
  return withoutMarks(shownLine(message, max)).replaceAll('](', '] (');
}

/** Keeps text from outside from becoming an icon in a label, where VS Code replaces `$(name)`. */
export function labelText(text: string, max = 100): string {
  return shownLine(text, max).replaceAll('$(', '$ (');
}

function linkTo(target: CommandTarget): LogLink {
  return {
    title: vscode.l10n.t('Show Output'),
    show: () => vscode.commands.executeCommand(commandIds.showOutput, target),
  };
}
