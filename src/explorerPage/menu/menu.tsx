import type { JSX } from 'preact';
import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Explorer } from '../explorer';
import type { MenuItem, OpenMenu } from './menuItem';

/** Distance from the edges of the page, in CSS pixels. */
const margin = 4;

/** The context menu of all tabs, while it is open. */
export function Menu({ explorer }: { readonly explorer: Explorer }): JSX.Element | null {
  const { menu } = explorer.view;
  if (!menu) return null;
  const close = (): void => explorer.update({ menu: undefined });
  return <Opened key={`${menu.at.x} ${menu.at.y}`} menu={menu} close={close} leave={() => explorer.focusList()} />;
}

interface OpenedProps {
  readonly menu: OpenMenu;
  readonly close: () => void;
  /** Moves the focus back. */
  readonly leave: () => void;
}

function Opened({ menu, close, leave }: OpenedProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    place(box.current, menu.at);
    (menu.at.isByKey ? itemsOf(box.current)[0] : box.current)?.focus();
  }, []);
  const done = (item?: MenuItem): void => {
    close();
    leave();
    item?.run();
  };
  return (
    <div
      class="menu"
      role="menu"
      aria-label={menu.label}
      tabIndex={-1}
      ref={box}
      onKeyDown={(event) => {
        // Otherwise the list and VS Code would act on the key as well.
        event.stopPropagation();
        if (event.key === 'Escape' || event.key === 'Tab') {
          event.preventDefault();
          done();
        } else if (box.current && moveFocus(event.key, itemsOf(box.current))) event.preventDefault();
      }}
      onContextMenu={(event) => event.preventDefault()}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || box.current?.contains(relatedTarget) !== true) close();
      }}
    >
      {menu.groups
        .filter((group) => group.length > 0)
        .map((group, index) => (
          <Fragment key={index}>
            {index > 0 && <div role="separator" />}
            {group.map((item) => (
              <button
                type="button"
                key={item.label}
                role={item.isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'}
                aria-checked={item.isChecked}
                tabIndex={-1}
                onClick={() => done(item)}
                onPointerMove={(event) => event.currentTarget.focus()}
              >
                <span class="label">{item.label}</span>
                {item.detail !== undefined && <span class="detail">{item.detail}</span>}
                {item.key !== undefined && <kbd>{item.key}</kbd>}
              </button>
            ))}
          </Fragment>
        ))}
    </div>
  );
}

/** Moves it into the page if it would cross an edge. */
function place(box: HTMLElement, { x, y }: OpenMenu['at']): void {
  const { width, height } = box.getBoundingClientRect();
  box.style.left = `${Math.max(margin, Math.min(x, window.innerWidth - width - margin))}px`;
  box.style.top = `${Math.max(margin, Math.min(y, window.innerHeight - height - margin))}px`;
}

function itemsOf(box: HTMLElement): readonly HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>('[role^=menuitem]')];
}

/** Moves the focus by arrow keys and first letters; answers whether the key was one of these. */
function moveFocus(key: string, items: readonly HTMLElement[]): boolean {
  const last = items.length - 1;
  const at = items.findIndex((item) => item === document.activeElement);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  const isLetter = key.length === 1 && key !== ' ';
  const starts = (item: HTMLElement): boolean => item.textContent.toLowerCase().startsWith(key.toLowerCase());
  const next = isLetter ? [...items.slice(at + 1), ...items].find(starts) : items[moves[key] ?? -1];
  next?.focus();
  return next !== undefined || isLetter;
}
