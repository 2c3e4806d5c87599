import type { FileChange } from '../work/changes/fileChange';
import type { CallText } from '../work/tools/callText';

/** What the texts of a run take at most, in UTF-16 units. */
const maxCalls = 2_000_000;
const maxChanges = 8_000_000;

export interface TextsOfCall {
  readonly args: CallText | undefined;
  readonly result: CallText | undefined;
}

/** The texts of a run's newest spans, by their IDs. */
export class NewestTexts<T> {
  private readonly texts = new Map<string, { readonly value: T; readonly size: number }>();
  private total = 0;

  constructor(
    private readonly max: number,
    private readonly sizeOf: (value: T) => number,
  ) {}

  set(id: string, value: T): void {
    const size = this.sizeOf(value);
    const before = this.texts.get(id);
    if (before ? before.value === value : size === 0) return;
    this.total += size - (before?.size ?? 0);
    this.texts.set(id, { value, size });
    for (const [oldest, dropped] of this.texts) {
      if (this.total <= this.max) return;
      this.texts.delete(oldest);
      this.total -= dropped.size;
    }
  }

  get(id: string): T | undefined {
    return this.texts.get(id)?.value;
  }

  clear(): void {
    this.texts.clear();
    this.total = 0;
  }
}

/** The arguments and results of tool calls. */
export function callTexts(): NewestTexts<TextsOfCall> {
  return new NewestTexts(maxCalls, ({ args, result }) => (args?.text.length ?? 0) + (result?.text.length ?? 0));
}

/** What tool calls changed. */
export function changeTexts(): NewestTexts<readonly FileChange[]> {
  return new NewestTexts(maxChanges, (changes) =>
    changes.reduce((sum, { texts }) => sum + (texts?.before?.length ?? 0) + (texts?.after.length ?? 0), 0),
  );
}
