/** Translates texts for display, like VS Code's `l10n`. `{0}` and `{1}` are the arguments. */
export interface Translator {
  t(message: string, ...args: readonly (string | number)[]): string;
  /** For counts; by default, that of the system. */
  readonly locale?: string | undefined;
}

/** Our numbers with a unit, and amounts of money: `2.5 s`, `12.3k`, `1.2 MB`, `$0.12`. A version has no unit. */
const measure = /^(?:(\d+)\.(\d+)( ?(?:s|k|M|[kKMGT]?B))|\$(\d+)\.(\d+))$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Shows one of our numbers or moments as in a language. Any other text stays as it is. */
export function inLocale(text: string, locale: string | undefined): string {
  if (moment.test(text)) return new Date(text).toLocaleString(locale);
  const [, whole, part, unit, dollars, cents] = measure.exec(text) ?? [];
  const sign = whole === undefined && dollars === undefined ? '.' : (1.5).toLocaleString(locale).charAt(1);
  if (sign === '.') return text;
  return whole === undefined ? `${dollars}${sign}${cents} $` : `${whole}${sign}${part}${unit}`;
}

/** A translator that shows the numbers in texts as in a language. */
export function localized(translator: Translator, locale: string | undefined): Translator {
  const shown = (arg: string | number): string | number => {
    if (typeof arg === 'string') return inLocale(arg, locale);
    // Smaller numbers may be codes.
    return arg >= 10_000 ? arg.toLocaleString(locale) : arg;
  };
  return { locale, t: (message, ...args) => translator.t(message, ...args.map(shown)) };
}

/** A text that is translated when it is shown. Arguments that aren't words are shown as they are. */
export interface Words {
  readonly text: string;
  readonly args?: readonly Arg[];
}

export type Arg = string | number | Words;

/** For logs, exports and the API. */
export const english: Translator = {
  t: (message, ...args) =>
    args.length === 0
      ? message
      : message.replace(/\{(\d)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole)),
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
  return translator.t(text, ...args.map((arg) => (typeof arg === 'object' ? translated(arg, translator) : arg)));
}

/** Words in a language. A string is shown as it is. */
export function displayedIn(words: Words | string, translator: Translator): string {
  return typeof words === 'string' ? words : translated(words, translator);
}

/** Words whose arguments are changed. */
export function mapArgs({ text, args }: Words, change: (arg: string) => string): Words {
  const changed = (arg: Arg): Arg => {
    if (typeof arg === 'object') return mapArgs(arg, change);
    return typeof arg === 'string' ? change(arg) : arg;
  };
  return args ? { text, args: args.map(changed) } : { text };
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
