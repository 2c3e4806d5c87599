import type { Locator, Page } from 'playwright-core';

/** A tree view as exposed to screen readers. */
export class ScreenReader {
  /** @param view the name of the tree view */
  constructor(
    private readonly page: Page,
    private readonly view: string,
  ) {}

  /** The focused row. */
  get focusedRow(): Locator {
    return this.tree.getByRole('treeitem').and(this.page.locator('.focused'));
  }

  /** The announcement of the focused row; '' if there is none. */
  async saysOfFocused(): Promise<string> {
    const row = this.focusedRow;
    return (await row.count()) === 0 ? '' : ((await row.first().getAttribute('aria-label')) ?? '');
  }

  /** Whether the view has the focus. */
  async hasFocus(): Promise<boolean> {
    return (await this.tree.and(this.page.locator(':focus, :focus-within')).count()) > 0;
  }

  /** The accessible names of all rows of trees, from Chromium. */
  async saysOfRows(): Promise<string[]> {
    const session = await this.page.context().newCDPSession(this.page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    await session.detach();
    return nodes
      .filter(({ role, ignored }) => !ignored && role?.value === 'treeitem')
      .map(({ name }) => String(name?.value));
  }

  private get tree(): Locator {
    return this.page.getByRole('tree', { name: this.view, exact: true });
  }
}
