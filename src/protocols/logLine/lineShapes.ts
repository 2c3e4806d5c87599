import type { ByteChunk } from '../../log/bytes/byteChunk';
import { ByteText } from '../../log/bytes/byteText';
import type { LogField } from './logValues';

/** A writer has few of them; of more no more is learnt. */
const maxSteps = 100;

/** What stands between two values of a line, and what is behind it. */
export type Step = { readonly gap: ByteText } & (
  | { readonly field: LogField; readonly next: Step[] }
  /** The end of the line: all that a notification of this method must have was there. */
  | { readonly field: undefined; readonly method: string }
);

/** A value that was read, and where it stands in its line. */
export interface ReadValue {
  readonly field: LogField;
  readonly start: number;
  readonly end: number;
}

/**
 * What stands between the values of the lines that were read: the same agent writes the same of it in every line, and comparing it takes a
 * part of the time that reading it does.
 */
export class LineShapes {
  /** Of the beginning of a line. */
  readonly first: Step[] = [];
  private steps = 0;

  /** The one of these steps whose gap stands at this place. */
  static stepAt(steps: readonly Step[], chunk: ByteChunk, at: number, end: number): Step | undefined {
    for (const step of steps) if (step.gap.isAt(chunk, at, end)) return step;
    return undefined;
  }

  /** @param values of a line that stands in the chunk from `start` up to `end`, in their order */
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
