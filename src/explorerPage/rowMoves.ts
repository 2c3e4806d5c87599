/** A list whose rows the keys select. */
interface List {
  readonly index: number;
  readonly last: number;
  readonly pageRows: number;
  readonly to: (index: number) => void;
}

/** What the keys that move in any list do. */
export function rowMoves({ index, last, pageRows, to }: List): Readonly<Record<string, () => void>> {
  const go = (place: number) => (): void => to(Math.max(0, Math.min(last, place)));
  return {
    ArrowDown: go(index + 1),
    j: go(index + 1),
    ArrowUp: go(index - 1),
    k: go(index - 1),
    PageDown: go(index + pageRows),
    PageUp: go(index - pageRows),
    Home: go(0),
    g: go(0),
    End: go(last),
    G: go(last),
  };
}
