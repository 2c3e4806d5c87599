import type { TextBatch } from '../../log/store/page';

/** Runs a user's regular expression without blocking the extension host. */
export interface RegexRunner {
  /**
   * Resolves with the positions of the texts that match, ascending.
   * @throws RegexTooSlow
   */
  matches(source: string, ignoresCase: boolean, batch: TextBatch): Promise<readonly number[]>;
}

/** The expression took too long and was stopped. */
export class RegexTooSlow extends Error {}
