import type { CallText } from '../work/tools/callText';

/** What the texts of a run take at most, in UTF-16 units. */
const maxTotal = 2_000_000;

export interface TextsOfCall {
  readonly args: CallText | undefined;
  readonly result: CallText | undefined;
}

/** The arguments and results of a run's newest tool calls, by the ID of their spans. */
export class CallTexts {
  private readonly texts = new Map<string, TextsOfCall>();
  private total = 0;

  set(id: string, texts: TextsOfCall): void {
    const before = this.texts.get(id);
    if (before ? before.args === texts.args && before.result === texts.result : !texts.args && !texts.result) return;
    this.total += sizeOf(texts) - (before ? sizeOf(before) : 0);
    this.texts.set(id, texts);
    for (const [oldest, dropped] of this.texts) {
      if (this.total <= maxTotal) return;
      this.texts.delete(oldest);
      this.total -= sizeOf(dropped);
    }
  }

  get(id: string): TextsOfCall | undefined {
    return this.texts.get(id);
  }

  clear(): void {
    this.texts.clear();
    this.total = 0;
  }
}

function sizeOf({ args, result }: TextsOfCall): number {
  return (args?.text.length ?? 0) + (result?.text.length ?? 0);
}
