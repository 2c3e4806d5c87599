import * as vscode from 'vscode';
import { shownLine } from '../../../text/text';
import { shownDay } from '../../kit/translate';

/** Maximum length of a label before a description, so that a narrow side panel shows both. */
const shortLength = 16;

/** A label before a cause or an activity: VS Code cuts the description of a row, but never its label. */
export function shortLabel(title: string): string {
  return shownLine(title, shortLength);
}

/** The accessible label of a row. Commas replace the dots between the parts of a description. */
export function accessibleLabel(...parts: readonly (string | undefined)[]): vscode.AccessibilityInformation {
  const words = parts.flatMap((part) => (part === undefined || part === '' ? [] : part.split(' · ')));
  return { label: words.join(', ') };
}

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

/** The local time, as `hh:mm:ss`. */
export function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** The time if it was today, otherwise the day and the time. */
export function shortTime(at: number, now: number): string {
  const time = new Date(at);
  if (time.toDateString() === new Date(now).toDateString()) return clock(at);
  const day = shownDay(at);
  return `${day} ${clock(at).slice(0, 5)}`;
}
