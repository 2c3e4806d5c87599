import type { LogOutputChannel, TextEditor } from 'vscode';
import { commands, LogLevel, window } from 'vscode';
import type { Threshold } from '../../log/level';

/** A channel's document is `output:<extension>.<channel>.log`. */
const extensionId = 'agent-logs.agent-logs';

/** Maps a threshold to the level of a LogOutputChannel that lets its records through. */
export function channelLevelOf(threshold: Threshold): LogLevel {
  switch (threshold) {
    case 'debug':
      return LogLevel.Debug;
    case 'info':
    case 'notice':
      return LogLevel.Info;
    case 'warning':
      return LogLevel.Warning;
    case 'error':
    case 'critical':
    case 'alert':
    case 'emergency':
      return LogLevel.Error;
    case 'off':
      return LogLevel.Off;
  }
}

/** Maps a level chosen with the gear in the Output view to a threshold. */
export function thresholdOf(level: LogLevel): Threshold {
  switch (level) {
    case LogLevel.Trace:
    case LogLevel.Debug:
      return 'debug';
    case LogLevel.Info:
      return 'info';
    case LogLevel.Warning:
      return 'warning';
    case LogLevel.Error:
      return 'error';
    case LogLevel.Off:
      return 'off';
  }
}

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
