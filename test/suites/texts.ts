import type { Locator } from 'playwright-core';

/** The used part of HTMLElement, because the suites are compiled without browser types. */
interface LineElement {
  readonly textContent: string;
  getBoundingClientRect(): { readonly top: number };
}

/** The lines of an editor, from the top. Editors position their lines absolutely, in any order. */
export async function linesOf(editor: Locator): Promise<string[]> {
  const lines = await editor.locator('.view-line').evaluateAll((elements: LineElement[]) =>
    elements.map((element) => ({
      top: element.getBoundingClientRect().top,
      text: element.textContent,
    })),
  );
  return lines.sort((a, b) => a.top - b.top).map(({ text }) => plain(text));
}

/** The text of an element; '' if it's missing or hidden, because VS Code reuses rows and hides unused parts. */
export async function textOf(locator: Locator): Promise<string> {
  // Doesn't wait for elements that have disappeared.
  return (await locator.isVisible()) ? plain((await locator.allTextContents())[0] ?? '').trim() : '';
}

/** VS Code renders some spaces as no-break spaces. */
export function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

export function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);
}
