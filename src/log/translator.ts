/** Translates texts for a person: VS Code's `l10n` in the UI. `{0}` and `{1}` in a text are its arguments. */
export interface Translator {
  t(message: string, ...args: readonly (string | number)[]): string;
}

/** For logs, exports and the API. */
export const english: Translator = {
  t: (message, ...args) => message.replace(/\{(\d)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole)),
};
