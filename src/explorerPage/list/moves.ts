import type { Viewport } from './grid';
import type { KeyActions } from './rows';

/** The keys that move the selection. Without one, they go to the first row in view, or the last. */
export function listMoves(
  index: number,
  count: number,
  { firstInView = 0, pageRows = 1 }: Partial<Pick<Viewport, 'firstInView' | 'pageRows'>> = {},
  select: (index: number) => void,
): KeyActions {
  const last = count - 1;
  const by = (rows: number) => (): void => {
    if (last < 0) return;
    const place = index < 0 ? firstInView + (rows < 0 ? pageRows : 0) : index + rows;
    select(Math.max(0, Math.min(last, place)));
  };
  const to = (place: number) => (): void => {
    if (last >= 0) select(place);
  };
  return {
    ArrowDown: by(1),
    j: by(1),
    ArrowUp: by(-1),
    k: by(-1),
    PageDown: by(pageRows),
    PageUp: by(-pageRows),
    Home: to(0),
    g: to(0),
    End: to(last),
    G: to(last),
  };
}
