// Reads and clicks rows of VS Code's lists and trees. VS Code draws lists in parts, moves rows while agents start and end, and
// shows other rows in the elements of old ones. So each reading is one script in the page, and the page itself checks that a
// click meets the row it is for.
import type { Locator, Page } from 'playwright-core';

/** What a row shows; '' for a text that it doesn't. */
export interface DrawnRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Of a tree; 1 for root rows. */
  readonly level: number;
  /** Of a tree; `undefined` for rows without children. */
  readonly expanded: boolean | undefined;
}

export interface Target {
  /** What the row is called: its label or, of a notification, its message. */
  readonly label: string;
  /** Whether `label` is only a part of that. */
  readonly isPart?: boolean;
  /** What in the row is to be clicked, instead of its center; shown at the latest when the mouse is over the row. */
  readonly inside?: { readonly selector: string; readonly text?: string };
  readonly button?: 'left' | 'right';
}

/** The used parts of browser types, because the suites are compiled without them. */
interface RowElement {
  readonly textContent: string | null;
  readonly ownerDocument: RowDocument;
  contains(other: RowElement | null): boolean;
  click(): void;
  checkVisibility(options: { readonly visibilityProperty: boolean }): boolean;
  closest(selector: string): RowElement | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  querySelector(selector: string): RowElement | null;
  querySelectorAll(selector: string): Iterable<RowElement>;
}
interface RowDocument {
  readonly defaultView: RowWindow;
  elementFromPoint(x: number, y: number): RowElement | null;
}
interface Point {
  readonly x: number;
  readonly y: number;
}
interface ClickEvent {
  readonly type: string;
  readonly target: RowElement | null;
  preventDefault(): void;
  stopImmediatePropagation(): void;
}
interface RowWindow {
  agentLogsClick?: () => boolean;
  addEventListener(type: string, listener: (event: ClickEvent) => void, capture: boolean): void;
  removeEventListener(type: string, listener: (event: ClickEvent) => void, capture: boolean): void;
  requestAnimationFrame(done: () => void): void;
  setTimeout(done: () => void, ms: number): void;
}

/** Takes the mouse away, and with it the tooltip of a row, which would cover what is to be clicked next. */
export function leaveRows(page: Page): Promise<void> {
  return page.mouse.move(720, 5);
}

/** The rows of a list that are drawn, from the top; none if it isn't shown. */
export function readRows(list: Locator): Promise<DrawnRow[]> {
  return list.evaluateAll(readInPage);
}

/** Runs in the page: reads in each frame until some in a row agree. */
async function readInPage([list]: RowElement[]): Promise<DrawnRow[]> {
  if (!list) return [];
  const view = list.ownerDocument.defaultView;
  const textOf = (row: RowElement, selector: string): string => {
    const part = row.querySelector(selector);
    // VS Code reuses rows, and hides unused parts.
    if (part?.checkVisibility({ visibilityProperty: true }) !== true) return '';
    return (part.textContent ?? '').replaceAll('\u00a0', ' ').trim();
  };
  const read = (): DrawnRow[] =>
    [...list.querySelectorAll('.monaco-list-row:not(.monaco-tree-sticky-row)')]
      .map((row) => ({ row, top: row.getBoundingClientRect().y }))
      .sort((a, b) => a.top - b.top)
      .map(({ row }) => {
        const expanded = row.getAttribute('aria-expanded');
        return {
          label: textOf(row, '.label-name'),
          description: textOf(row, '.label-description'),
          detail: textOf(row, '.quick-input-list-label-meta'),
          level: Number(row.getAttribute('aria-level')),
          expanded: expanded === null ? undefined : expanded === 'true',
        };
      });
  let rows = read();
  // A list that changes all the time is returned as it was last.
  for (let [frames, same] = [0, 0]; frames < 60 && same < 4; frames++) {
    const before = JSON.stringify(rows);
    await new Promise<void>((resolve) => {
      view.requestAnimationFrame(() => resolve());
      view.setTimeout(resolve, 200); // a window in the background draws no frames
    });
    rows = read();
    same = JSON.stringify(rows) === before ? same + 1 : 0;
  }
  return rows;
}

/**
 * Presses a button in a row twice, in one script. The mouse couldn't: the first click may change or move the row.
 * @returns whether there was such a button
 */
export function pressTwice(
  list: Locator,
  button: { readonly label: string; readonly selector: string },
): Promise<boolean> {
  return list.evaluate((element: RowElement, { label, selector }) => {
    const row = [...element.querySelectorAll('.monaco-list-row')].find(
      (one) => one.querySelector('.label-name')?.textContent?.replaceAll('\u00a0', ' ').trim() === label,
    );
    const found = row?.querySelector(selector);
    found?.click();
    found?.click();
    return !!found;
  }, button);
}

/**
 * Clicks a row, or something in it, once it stays where it is. A click that would meet another row, or nothing, does nothing
 * and is repeated.
 * @param row must be drawn at some time within the page's timeout
 */
export async function clickRow(page: Page, row: Locator, target: Target, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const why = await tryToClick(page, row, target);
    if (why === undefined) return;
    // A tooltip that the pointer opened goes with it.
    if (why.startsWith('it is covered')) await page.mouse.move(0, 0);
    if (Date.now() > deadline) throw new Error(`Can't click "${target.label}" within ${timeoutMs / 1000} s: ${why}`);
  }
}

/** Returns why it wasn't clicked. */
async function tryToClick(page: Page, row: Locator, target: Target): Promise<string | undefined> {
  let point = await row.evaluate(pointIn, undefined);
  if (target.inside && typeof point !== 'string') {
    await page.mouse.move(point.x, point.y);
    point = await row.evaluate(pointIn, target.inside);
  }
  if (typeof point === 'string') return point;
  await row.evaluate(guard, target);
  await page.mouse.click(point.x, point.y, { button: target.button ?? 'left' });
  return (await page.evaluate<boolean>('agentLogsClick()')) ? undefined : 'other rows were there';
}

/** Runs in the page: the center of a row, or of something in it; why there is none if it moves or is covered. */
async function pointIn(row: RowElement, inside: Target['inside']): Promise<Point | string> {
  const { defaultView: view } = row.ownerDocument;
  const find = (): RowElement | undefined =>
    inside === undefined
      ? row
      : [...row.querySelectorAll(inside.selector)].find(
          ({ textContent }) => inside.text === undefined || textContent?.trim() === inside.text,
        );
  const pointOf = (element: RowElement | undefined): Point | undefined => {
    const box = element?.getBoundingClientRect();
    return box && box.width > 0 ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : undefined;
  };
  const before = pointOf(find());
  await new Promise<void>((resolve) => {
    view.requestAnimationFrame(() => view.requestAnimationFrame(() => resolve()));
    view.setTimeout(resolve, 200); // a window in the background draws no frames
  });
  const element = find();
  const point = pointOf(element);
  if (!element || !point) return `${inside?.selector ?? 'the row'} isn't shown`;
  if (before?.x !== point.x || before.y !== point.y) return 'it moves';
  const met = row.ownerDocument.elementFromPoint(point.x, point.y);
  return element.contains(met) ? point : `it is covered by ${met?.getAttribute('class') ?? 'nothing with a class'}`;
}

/** Runs in the page: keeps the next click from everything but the target. `agentLogsClick` says whether it met that. */
function guard(row: RowElement, { label, isPart, inside, button }: Target): void {
  const view = row.ownerDocument.defaultView;
  const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu'];
  const last = button === 'right' ? 'contextmenu' : 'click';
  let isMet = false;
  let isMissed = false;
  const meets = (element: RowElement | null): boolean => {
    const met = element?.closest('.monaco-list-row');
    const name = met?.querySelector('.label-name, .notification-list-item-message');
    const text = (name?.textContent ?? '').replaceAll('\u00a0', ' ').trim();
    if (isPart === true ? !text.includes(label) : text !== label.trim()) return false;
    if (!inside) return true;
    const part = element?.closest(inside.selector);
    return !!part && (inside.text === undefined || part.textContent?.trim() === inside.text);
  };
  const listener = (event: ClickEvent): void => {
    // The context menu covers the row before the button is released.
    if (isMet || (!isMissed && meets(event.target))) {
      isMet ||= event.type === last;
      return;
    }
    isMissed = true;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of types) view.addEventListener(type, listener, true);
  view.agentLogsClick = () => {
    for (const type of types) view.removeEventListener(type, listener, true);
    return isMet;
  };
}

/** The rows between one at the top level and the next. */
export function rowsBelow<Row extends Pick<DrawnRow, 'label' | 'level'>>(rows: readonly Row[], label: string): Row[] {
  const below = rows.slice(rows.findIndex((row) => row.label === label && row.level === 1) + 1);
  const next = below.findIndex(({ level }) => level === 1);
  return below.slice(0, next < 0 ? undefined : next);
}
