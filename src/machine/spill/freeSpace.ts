import type { PagePlace } from '../../store/pageReader';

/** The unused parts of a file below its end. Neighbors are merged, so that pages of other sizes fit, too. */
export class FreeSpace {
  /** By offset. */
  private readonly gaps: PagePlace[] = [];

  /** Takes a part of this length out of the first gap that has room. Returns its offset. */
  take(length: number): number | undefined {
    const index = this.gaps.findIndex((gap) => gap.length >= length);
    const gap = this.gaps[index];
    if (!gap) return undefined;
    const rest = { offset: gap.offset + length, length: gap.length - length };
    this.gaps.splice(index, 1, ...(rest.length > 0 ? [rest] : []));
    return gap.offset;
  }

  add({ offset, length }: PagePlace): void {
    const index = this.indexAfter(offset);
    const [before, after] = [this.gaps[index - 1], this.gaps[index]];
    const joinsBefore = before !== undefined && before.offset + before.length === offset;
    const joinsAfter = after?.offset === offset + length;
    const start = joinsBefore ? before.offset : offset;
    const end = joinsAfter ? after.offset + after.length : offset + length;
    const replaced = Number(joinsBefore) + Number(joinsAfter);
    this.gaps.splice(index - Number(joinsBefore), replaced, { offset: start, length: end - start });
  }

  /** The index of the first gap behind an offset. */
  private indexAfter(offset: number): number {
    let [from, to] = [0, this.gaps.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.gaps[middle]?.offset ?? Infinity) < offset) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
