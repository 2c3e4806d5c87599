import * as vscode from 'vscode';
import type { Level } from '../../log/level';
import { rankOf } from '../../log/level';

/** One icon per level, so that color isn't the only difference. */
const levelIcons: Readonly<Record<Level, string>> = {
  debug: 'debug-alt-small',
  info: 'info',
  notice: 'megaphone',
  warning: 'warning',
  error: 'error',
  critical: 'flame',
  alert: 'bell',
  emergency: 'zap',
};

export function levelIcon(level: Level): vscode.ThemeIcon {
  if (rankOf(level) >= rankOf('error')) {
    return new vscode.ThemeIcon(levelIcons[level], new vscode.ThemeColor('list.errorForeground'));
  }
  if (level === 'warning') {
    return new vscode.ThemeIcon(levelIcons[level], new vscode.ThemeColor('list.warningForeground'));
  }
  return new vscode.ThemeIcon(levelIcons[level]);
}
