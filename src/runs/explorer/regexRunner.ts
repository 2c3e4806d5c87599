/** Texts one after the other, as UTF-8. */
export interface TextBatch {
  readonly bytes: Uint8Array;
  /** Where each text begins. */
  readonly starts: Uint32Array;
  /** Where each text ends. */
  readonly ends: Uint32Array;
}

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
