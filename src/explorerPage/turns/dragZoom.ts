import { useState } from 'preact/hooks';
import type { TurnsTab } from './turnsTab';

/** Minimum length of a drag, in CSS pixels; a shorter one is a click. */
const minDrag = 4;

interface Drag {
  /** Left edge of the column with the bars, in CSS pixels from the left of the window. */
  readonly left: number;
  readonly width: number;
  /** Left edge of the list. */
  readonly origin: number;
  readonly from: number;
  readonly to: number;
}

/** Zooms to the time range that the user drags across. */
export interface DragZoom {
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: () => void;
  };
  /** Whether a drag is in progress. */
  readonly selection: boolean;
  /** Positions the selection. */
  readonly place: (element: HTMLElement | null) => void;
}

export function useDragZoom(turns: TurnsTab): DragZoom {
  const [drag, setDrag] = useState<Drag | undefined>(undefined);
  const isDrag = drag !== undefined && Math.abs(drag.to - drag.from) >= minDrag;
  const place = (element: HTMLElement | null): void => {
    if (!element || !drag) return;
    element.style.setProperty('left', `${Math.min(drag.from, drag.to) - drag.origin}px`);
    element.style.setProperty('width', `${Math.abs(drag.to - drag.from)}px`);
  };
  const onPointerDown = (event: PointerEvent): void => {
    const column = event.target instanceof Element ? event.target.closest('.row .bars') : null;
    if (!column || event.button !== 0) return;
    const { left, width } = column.getBoundingClientRect();
    const origin = (event.currentTarget as Element).getBoundingClientRect().left;
    setDrag({ left, width, origin, from: event.clientX, to: event.clientX });
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (!drag) return;
    // Outside its frame, a page gets no mouse events without a capture. Capture only drags, because clicks are for the rows.
    if (isDrag) (event.currentTarget as Element).setPointerCapture(event.pointerId);
    setDrag({ ...drag, to: Math.max(drag.left, Math.min(drag.left + drag.width, event.clientX)) });
  };
  const onPointerUp = (): void => {
    if (drag && isDrag) {
      const [from = 0, to = 0] = [drag.from, drag.to]
        .map((x) => turns.axis.timeAt((x - drag.left) / drag.width))
        .sort((a, b) => a - b);
      turns.zoom({ from, to });
    }
    setDrag(undefined);
  };
  const handlers = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: () => setDrag(undefined) };
  return { handlers, selection: isDrag, place };
}
