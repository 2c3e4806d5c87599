import { Slices } from '../../../time/slices';

/** Sorts many sessions or files, in slices. */
export function newestFirst<T extends { readonly modifiedAt: number }>(all: readonly T[]): Promise<T[]> {
  return new Slices().sorted(all, (a, b) => b.modifiedAt - a.modifiedAt);
}
