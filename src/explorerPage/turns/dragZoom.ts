import { useState } from 'preact/hooks';
import type { Explorer } from '../explorer';
import type { TimeAxis } from './timeAxis';

/** In CSS pixels; a shorter drag is a click. */
const minDrag = 4;

interface Drag {
  /** The column of the bars, in CSS pixels from the left of the window. */
  readonly left: number;
  readonly width: number;
  /** Where the list begins. */
  readonly origin: number;
  readonly from: number;
  readonly to: number;
}

/** Zooms to the stretch of time that a person drags over. */
export interface DragZoom {
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: () => void;
  };
  /** Whether something is being dragged over. */
  readonly selection: boolean;
  /** Puts the selection where it belongs. */
  readonly place: (element: HTMLElement | null) => void;
}

export function useDragZoom(explorer: Explorer, axis: TimeAxis): DragZoom {
  const [drag, setDrag] = useState<Drag | undefined>(undefined);
  const isDrag = drag !== undefined && Math.abs(drag.to - drag.from) >= minDrag;
  const place = (element: HTMLElement | null): void => {
    if (!element || !drag) return;
    element.style.setProperty('left', `${Math.min(drag.from, drag.to) - drag.origin}px`);
    element.style.setProperty('width', `${Math.abs(drag.to - drag.from)}px`);
  };
  const onPointerDown = (event: PointerEvent): void => {
    const column = event.target instanceof Element ? event.target.closest('.turn-cell.time') : null;
    if (!column || event.button !== 0) return;
    const { left, width } = column.getBoundingClientRect();
    const origin = (event.currentTarget as Element).getBoundingClientRect().left;
    setDrag({ left, width, origin, from: event.clientX, to: event.clientX });
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (!drag) return;
    // A frame gets no mouse events while another has them. Only a drag captures it: clicks are for the rows.
    if (isDrag) (event.currentTarget as Element).setPointerCapture(event.pointerId);
    setDrag({ ...drag, to: Math.max(drag.left, Math.min(drag.left + drag.width, event.clientX)) });
  };
  const onPointerUp = (): void => {
    if (drag && isDrag) {
      const [from = 0, to = 0] = [drag.from, drag.to]
        .map((x) => axis.timeAt((x - drag.left) / drag.width))
        .sort((a, b) => a - b);
      explorer.turnsPane.zoom({ from, to });
    }
    setDrag(undefined);
  };
  const handlers = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: () => setDrag(undefined) };
  return { handlers, selection: isDrag, place };
}
