import type { LogRecord, RecordWords } from '../text/record';
import { withoutEnd, withoutMarks } from '../text/text';
import type { Translator } from '../text/translator';
import { translated } from '../text/translator';

/** The message of a diagnosis: the problem, then what to do. */
export function diagnosisText({ what, advice }: RecordWords, l10n: Translator): string {
  return [sentence(translated(what, l10n)), ...(advice ? [translated(advice, l10n)] : [])].join(' ');
}

/** The message of a record for display: that of a diagnosis is translated, and without Markdown. */
export function shownMessage({ message, words }: LogRecord, l10n: Translator): string {
  return words ? withoutMarks(diagnosisText(words, l10n)) : message;
}

/** Adds a period, unless the text ends in a parenthesized sentence, or was cut. */
export function sentence(text: string): string {
  return /(?:[.!?]\)|…)$/.test(text) ? text : `${withoutEnd(text, /\./)}.`;
}
