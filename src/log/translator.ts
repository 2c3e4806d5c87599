/** Translates texts for a person: VS Code's `l10n` in the UI. `{0}` and `{1}` in a text are its arguments. */
export interface Translator {
  t(message: string, ...args: readonly (string | number)[]): string;
}

/** A text for a person that is translated when it is shown. */
export interface Words {
  readonly text: string;
  readonly args?: readonly (string | number)[];
}

/** For logs, exports and the API. */
export const english: Translator = {
  t: (message, ...args) =>
    args.length === 0
      ? message
      : message.replace(/\{(\d)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole)),
};

/** Makes words. It is called like VS Code's own `l10n`, so that translators find its texts. */
export const l10n = {
  t: (text: string, ...args: readonly (string | number)[]): Words => (args.length === 0 ? { text } : { text, args }),
};

export function inEnglish(words: Words): string {
  return translated(words, english);
}

export function translated({ text, args = [] }: Words, translator: Translator): string {
  return translator.t(text, ...args);
}
