/** What keys do, by `KeyboardEvent.key`. */
export type KeyActions = Readonly<Record<string, () => void>>;

/** A list whose rows the keys select. */
interface List {
  /** The index of a row this many rows from the selected one; it may be out of range. */
  readonly from: (rows: number) => number;
  readonly last: number;
  readonly pageRows: number;
  readonly to: (index: number) => void;
}

/** What the keys that move in any list do. */
export function rowMoves({ from, last, pageRows, to }: List): KeyActions {
  const go = (place: number) => (): void => {
    if (last >= 0) to(Math.max(0, Math.min(last, place)));
  };
  return {
    ArrowDown: go(from(1)),
    j: go(from(1)),
    ArrowUp: go(from(-1)),
    k: go(from(-1)),
    PageDown: go(from(pageRows)),
    PageUp: go(from(-pageRows)),
    Home: go(0),
    g: go(0),
    End: go(last),
    G: go(last),
  };
}

/** A set without a member, or with it. */
export function toggledIn<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const changed = new Set(set);
  if (!changed.delete(value)) changed.add(value);
  return changed;
}
