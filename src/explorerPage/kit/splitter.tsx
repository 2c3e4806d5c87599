import type { JSX } from 'preact';
import type { Explorer } from '../explorer';

const step = 0.02;

/** Narrow windows show the details below the grid. The style sheet has the same limit. */
function isStacked(): boolean {
  return window.innerWidth < 900;
}

/** Between the grid and the details. */
export function Splitter({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, split } = explorer.view;
  const set = (value: number): void => explorer.update({ split: Math.min(0.8, Math.max(0.2, value)) });
  const onMove = (event: PointerEvent): void => {
    const splitter = event.currentTarget as Element;
    const main = splitter.closest('.panel');
    // Without capture, the events go to whichever frame is under the pointer.
    if (!main || !splitter.hasPointerCapture(event.pointerId)) return;
    const box = main.getBoundingClientRect();
    set(isStacked() ? 1 - (event.clientY - box.top) / box.height : 1 - (event.clientX - box.left) / box.width);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = ['ArrowLeft', 'ArrowUp'].includes(event.key)
      ? step
      : ['ArrowRight', 'ArrowDown'].includes(event.key)
        ? -step
        : 0;
    if (by === 0) return;
    event.preventDefault();
    set(split + by);
  };
  return (
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-label={t('Resize details')}
      aria-orientation={isStacked() ? 'horizontal' : 'vertical'}
      aria-valuemin={20}
      aria-valuemax={80}
      aria-valuenow={Math.round(split * 100)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onMove}
      onKeyDown={onKeyDown}
    />
  );
}
