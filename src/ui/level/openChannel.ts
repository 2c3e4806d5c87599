import type { LogLevel, LogOutputChannel, TextEditor } from 'vscode';
import { commands, window } from 'vscode';

/** A channel's document is `output:<extension>.<channel>.log`. */
const extensionId = 'agent-logs.agent-logs';

/** Whether the person has this channel open in the Output view. */
export function isOpen(channel: LogOutputChannel): boolean {
  const path = `${extensionId}.${channel.name.replace(/[\\/:*?"<>|]/g, '')}.log`; // VS Code names the log file after it.
  return window.visibleTextEditors.some((editor) => isInOutputView(editor) && editor.document.uri.path === path);
}

/**
 * Changes VS Code's own level of a channel if it's open, and does nothing otherwise: there is no API for this
 * (microsoft/vscode#223536), only a command for the channel in the Output view.
 */
export async function setLevelIfOpen(channel: LogOutputChannel, level: LogLevel): Promise<void> {
  if (channel.logLevel === level || !isOpen(channel)) return;
  try {
    await commands.executeCommand(`workbench.action.output.activeOutputLogLevel.${level}`);
  } catch {
    // This version of VS Code doesn't have the command. Callers look at the channel's level.
  }
}

/** A log that's open in an editor tab has a column. */
function isInOutputView({ document, viewColumn }: TextEditor): boolean {
  return document.uri.scheme === 'output' && viewColumn === undefined;
}
