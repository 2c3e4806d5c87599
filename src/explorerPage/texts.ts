import type { Measure } from '../text/measure';
import { shownMeasure } from '../text/measure';
import { english } from '../text/translator';

/** Translates a text for display. `{0}` and `{1}` are the arguments; numbers are formatted. A unit test finds the texts by this name. */
export type Translate = (text: string, ...args: readonly (string | number | Measure)[]) => string;

/** The language of the page. */
export interface Texts {
  readonly t: Translate;
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string;
}

/**
 * Texts and numbers in the display language.
 * @param bundle translations by their English texts
 */
export function textsIn(locale: string, bundle: Readonly<Record<string, string>>): Texts {
  const number: Texts['number'] = (value, options) => value.toLocaleString(locale, options);
  const shown = (arg: string | number | Measure): string => {
    if (typeof arg === 'object') return shownMeasure(arg, locale);
    return typeof arg === 'number' ? number(arg) : arg;
  };
  return { number, t: (text, ...args) => english.t(bundle[text] ?? text, ...args.map(shown)) };
}

/** What is said instead of a part of a page that can't be drawn, in the display language. */
export interface FailureTexts {
  readonly message: string;
  readonly retry: string;
  readonly restart: string;
}

export function failureTexts(t: Translate): FailureTexts {
  return {
    message: t('This can’t be shown because of an internal error.'),
    retry: t('Try Again'),
    restart: t('Reset and Reload'),
  };
}
