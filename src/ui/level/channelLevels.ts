import { LogLevel } from 'vscode';
import type { Threshold } from '../../log/level';

/** The level of a LogOutputChannel that lets a threshold's records through. */
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

/** The threshold that a level chosen with VS Code's own gear stands for. */
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

/** Whether a channel at that level writes a line of this one. Off is the lowest number, and yet lets nothing through. */
export function writes(channel: LogLevel, line: LogLevel): boolean {
  return channel !== LogLevel.Off && line >= channel;
}
