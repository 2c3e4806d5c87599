import type { Words } from './translator';
import { inEnglish } from './translator';

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
