import type { Measure } from './measure';
import { measureText, shownMeasure } from './measure';

/** Translates texts for display, like VS Code's `l10n`. `{0}` and `{1}` are the arguments. */
export interface Translator {
  t(message: string, ...args: readonly (string | number | Measure)[]): string;
  /** For counts; by default, that of the system. */
  readonly locale?: string | undefined;
}

/**
 * A translator that shows the numbers in texts as in a language.
 * @param locale by default, that of the system
 */
export function localized(
  { t: translate }: { readonly t: (message: string, ...args: readonly (string | number)[]) => string },
  locale: string | undefined,
): Translator {
  const shown = (arg: string | number | Measure): string | number => {
    if (typeof arg === 'object') return shownMeasure(arg, locale);
    // Smaller numbers may be codes.
    return typeof arg === 'number' && arg >= 10_000 ? arg.toLocaleString(locale) : arg;
  };
  return { locale, t: (message, ...args) => translate(message, ...args.map(shown)) };
}

/** A text that is translated when it is shown. Arguments that aren't words are shown as they are. */
export interface Words {
  readonly text: string;
  readonly args?: readonly Arg[];
}

export type Arg = string | number | Measure | Words;

/** For logs, exports and the API. */
export const english: Translator = {
  t: (message, ...args) =>
    args.length === 0
      ? message
      : message.replace(/\{(\d)\}/g, (whole, index: string) => {
          const arg = args[Number(index)] ?? whole;
          return typeof arg === 'object' ? measureText(arg) : String(arg);
        }),
};

/** Creates a translatable text. A unit test finds the texts by this name, so they have to be literals. */
export function t(text: string, ...args: readonly Arg[]): Words {
  return args.length === 0 ? { text } : { text, args };
}

/** Text that isn't ours, such as an agent's message, and is never translated. */
export function verbatim(text: string): Words {
  return { text: '{0}', args: [text] };
}

export function inEnglish(words: Words): string {
  return translated(words, english);
}

export function translated({ text, args = [] }: Words, translator: Translator): string {
  return translator.t(text, ...args.map((arg) => (isWords(arg) ? translated(arg, translator) : arg)));
}

function isWords(arg: Arg): arg is Words {
  return typeof arg === 'object' && 'text' in arg;
}

/** Words in a language. A string is shown as it is. */
export function displayedIn(words: Words | string, translator: Translator): string {
  return typeof words === 'string' ? words : translated(words, translator);
}

/** Words whose texts in arguments are changed. */
export function mapArgs({ text, args }: Words, change: (arg: string) => string): Words {
  const changed = (arg: Arg): Arg => {
    if (isWords(arg)) return mapArgs(arg, change);
    return typeof arg === 'string' ? change(arg) : arg;
  };
  return args ? { text, args: args.map(changed) } : { text };
}

/** Words in which some parts, or all of it, are said otherwise. */
export function mapWords(words: Words, change: (part: Words) => Words | undefined): Words {
  const { text, args } = words;
  return (
    change(words) ?? { text, ...(args && { args: args.map((arg) => (isWords(arg) ? mapWords(arg, change) : arg)) }) }
  );
}

/** An error whose message can be translated. */
export class WordsError extends Error {
  constructor(
    /** For display; `message` is in English. */
    public words: Words,
    options?: ErrorOptions,
  ) {
    super(inEnglish(words), options);
  }
}

/** The message of any thrown value, for display. */
export function displayOf(error: unknown): Words | string {
  if (error instanceof WordsError) return error.words;
  return error instanceof Error ? error.message : String(error);
}
