import type { ByteChunk } from '../../text/bytes/byteChunk';
import { ByteText } from '../../text/bytes/byteText';
import type { LogField } from './logValues';

/** Limit of learned steps; a writer uses few. */
const maxSteps = 100;

/** The text before a value, and what follows it. */
export type Step = { readonly gap: ByteText } & (
  | { readonly field: LogField; readonly next: Step[] }
  /** The end of the line, with all members that this method requires. */
  | { readonly field: undefined; readonly method: string }
);

/** The location of a value in its line. */
export interface ReadValue {
  readonly field: LogField;
  readonly start: number;
  readonly end: number;
}

/** The text between the values of earlier lines. An agent writes the same text in every line, and comparing is much faster than parsing. */
export class LineShapes {
  /** Steps at the beginning of a line. */
  readonly first: Step[] = [];
  private steps = 0;

  /** The step whose gap is at this index. */
  static stepAt(steps: readonly Step[], chunk: ByteChunk, at: number, end: number): Step | undefined {
    for (const step of steps) if (step.gap.isAt(chunk, at, end)) return step;
    return undefined;
  }

  /** @param values of the line from `start` to `end`, in order */
  learn(chunk: ByteChunk, start: number, end: number, values: readonly ReadValue[], method: string): void {
    if (this.steps + values.length >= maxSteps) return;
    let steps = this.first;
    let at = start;
    for (const { field, start: valueStart, end: valueEnd } of values) {
      let step = LineShapes.stepAt(steps, chunk, at, valueStart);
      if (step?.field !== field || step.gap.length !== valueStart - at) {
        step = { gap: new ByteText(chunk.bytes.toString('utf8', at, valueStart)), field, next: [] };
        this.add(steps, step);
      }
      steps = step.next;
      at = valueEnd;
    }
    this.add(steps, { gap: new ByteText(chunk.bytes.toString('utf8', at, end)), field: undefined, method });
  }

  private add(steps: Step[], step: Step): void {
    steps.push(step);
    this.steps++;
  }
}
