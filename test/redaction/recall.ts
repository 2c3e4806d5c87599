/** How many of a set of cases were redacted. */
export class Recall {
  #all = 0;
  #redacted = 0;

  add(isRedacted: boolean): void {
    this.#all++;
    if (isRedacted) this.#redacted++;
  }

  get share(): number {
    return this.#all === 0 ? 1 : this.#redacted / this.#all;
  }

  get count(): number {
    return this.#all;
  }

  /** In percent; rounded down, so that 100 is all of them. */
  get text(): string {
    return this.#all === 0 ? '–' : String(Math.floor(this.share * 100));
  }
}

/** Recall by some key of a case, in order of first occurrence. */
export class RecallBy {
  readonly #recalls = new Map<string, Recall>();

  add(key: string, isRedacted: boolean): void {
    const recall = this.#recalls.get(key) ?? new Recall();
    recall.add(isRedacted);
    this.#recalls.set(key, recall);
  }

  get(key: string): Recall {
    return this.#recalls.get(key) ?? new Recall();
  }

  get entries(): readonly (readonly [key: string, recall: Recall])[] {
    return [...this.#recalls];
  }
}
