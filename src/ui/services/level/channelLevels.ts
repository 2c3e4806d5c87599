import type { LogOutputChannel, TextEditor } from 'vscode';
import { commands, LogLevel, window } from 'vscode';
import type { Threshold } from '../../../text/level';

/** A channel's document is `output:<extension>.<channel>.log`. */
const extensionId = 'agent-logs.agent-logs';

/** The level of a LogOutputChannel that lets the records of a threshold through. */
export const channelLevelOf: Readonly<Record<Threshold, LogLevel>> = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  notice: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  critical: LogLevel.Error,
  alert: LogLevel.Error,
  emergency: LogLevel.Error,
  off: LogLevel.Off,
};

/** The threshold for a level chosen with the gear in the Output view. */
export const thresholdOf: Readonly<Record<LogLevel, Threshold>> = {
  [LogLevel.Trace]: 'debug',
  [LogLevel.Debug]: 'debug',
  [LogLevel.Info]: 'info',
  [LogLevel.Warning]: 'warning',
  [LogLevel.Error]: 'error',
  [LogLevel.Off]: 'off',
};

/** Whether a channel at this level writes the line. `Off` is the lowest number, but lets nothing through. */
export function writes(channel: LogLevel, line: LogLevel): boolean {
  return channel !== LogLevel.Off && line >= channel;
}

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
