import type { TextBatch } from '../../log/store/page';

/** Runs a person's regular expression where it can't block anything. */
export interface RegexRunner {
  /**
   * Resolves with the positions of the texts that match, ascending.
   * @throws RegexTooSlow
   */
  matches(source: string, ignoresCase: boolean, batch: TextBatch): Promise<readonly number[]>;
}

/** An expression that took too long and was stopped. */
export class RegexTooSlow extends Error {}
