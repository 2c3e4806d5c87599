// Measures the appearance of the window.
import type { Locator } from 'playwright-core';

/** The used parts of browser types, because the suites are compiled without them. */
interface Style {
  readonly color: string;
  readonly backgroundColor: string;
  readonly opacity: string;
}
interface StyledElement {
  readonly textContent: string;
  readonly parentElement: StyledElement | null;
  readonly ownerDocument: { readonly defaultView: { getComputedStyle(element: StyledElement): Style } };
}

export interface Contrast {
  readonly text: string;
  /** Contrast ratio of WCAG 2.2, from 1 (unreadable) to 21. */
  readonly ratio: number;
}

interface Colours {
  readonly text: string;
  readonly color: string;
  /** From the element itself outwards. */
  readonly behind: readonly string[];
  readonly opacity: number;
}

type Rgba = readonly [number, number, number, number];

/** The contrast of the labels and descriptions of a tree's rows. */
export async function contrastsOf(tree: Locator): Promise<Contrast[]> {
  const texts = tree.getByRole('treeitem').locator('.label-name, .label-description');
  const drawn = await texts.evaluateAll((elements: StyledElement[]): Colours[] =>
    elements.map((element) => {
      const behind: string[] = [];
      let opacity = 1;
      for (let at: StyledElement | null = element; at; at = at.parentElement) {
        const style = at.ownerDocument.defaultView.getComputedStyle(at);
        behind.push(style.backgroundColor);
        opacity *= Number(style.opacity);
      }
      const { color } = element.ownerDocument.defaultView.getComputedStyle(element);
      return { text: element.textContent, color, behind, opacity };
    }),
  );
  return drawn
    .filter(({ text }) => text !== '')
    .map(({ text, color, behind, opacity }) => {
      const [ground, ...over] = behind.map(rgba).reverse();
      const background = over.reduce(blend, ground ?? [255, 255, 255, 1]);
      const [red, green, blue, alpha] = rgba(color);
      return { text, ratio: ratioOf(blend(background, [red, green, blue, alpha * opacity]), background) };
    });
}

/** The name of each row's icon; '' if it has none. */
export async function iconsOf(tree: Locator): Promise<string[]> {
  const rows = await tree.getByRole('treeitem').all();
  return Promise.all(
    rows.map(async (row) => {
      const icon = row.locator('.custom-view-tree-node-item-icon').first();
      const name = (await icon.count()) === 0 ? undefined : await icon.getAttribute('class');
      return /codicon-([a-z-]+)/.exec(name ?? '')?.[1] ?? '';
    }),
  );
}

function rgba(color: string): Rgba {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue, alpha];
}

function blend(below: Rgba, [red, green, blue, alpha]: Rgba): Rgba {
  const mix = (over: number, under: number): number => over * alpha + under * (1 - alpha);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
}

function ratioOf(a: Rgba, b: Rgba): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminance([red, green, blue]: Rgba): number {
  const linear = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
