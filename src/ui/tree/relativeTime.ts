import * as vscode from 'vscode';

/** How long ago something was, roughly. @param ms elapsed time in milliseconds */
export function relativeTime(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 10) return vscode.l10n.t('now');
  if (seconds < 60) return vscode.l10n.t('{0} s ago', Math.floor(seconds / 10) * 10);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return vscode.l10n.t('{0} min ago', minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? vscode.l10n.t('{0} h ago', hours) : vscode.l10n.t('{0} d ago', Math.floor(hours / 24));
}
