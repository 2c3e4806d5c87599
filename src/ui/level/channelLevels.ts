import { LogLevel } from 'vscode';
import type { Threshold } from '../../log/level';

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
