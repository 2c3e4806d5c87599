import * as vscode from 'vscode';
import type { Words } from '../../text/translator';
import { shownMeasure } from '../../text/measure';
import { displayedIn, localized } from '../../text/translator';

/** The language of dates and numbers. English is that of many countries, so the system decides. */
const locale = vscode.env.language === 'en' ? undefined : vscode.env.language;

/** Texts in the display language, with its numbers. */
export const l10n = localized(vscode.l10n, locale);

/** Words in the display language. A string is shown as it is. */
export function translate(words: Words | string): string {
  return displayedIn(words, l10n);
}

/** A date and time, in milliseconds since the epoch. */
export function shownDate(at: number): string {
  return new Date(at).toLocaleString(locale);
}

/** A day of the year, without the year. */
export function shownDay(at: number): string {
  return new Date(at).toLocaleDateString(locale, { month: 'short', day: 'numeric' });
}

export function shownCount(count: number): string {
  return count.toLocaleString(locale);
}

/** A duration in milliseconds. */
export function shownDuration(ms: number): string {
  return shownMeasure({ ms }, locale);
}

/** A size in bytes. */
export function shownSize(bytes: number): string {
  return shownMeasure({ bytes }, locale);
}
