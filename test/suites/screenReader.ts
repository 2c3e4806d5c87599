import type { Locator, Page } from 'playwright-core';

/** What somebody who neither sees the window nor has a mouse gets to know of a tree view. */
export class ScreenReader {
  /** @param view the name of the tree view */
  constructor(
    private readonly page: Page,
    private readonly view: string,
  ) {}

  /** The row that the keys act on. */
  get focusedRow(): Locator {
    return this.tree.getByRole('treeitem').and(this.page.locator('.focused'));
  }

  /** What is said of that row; '' where there is none. */
  async saysOfFocused(): Promise<string> {
    const row = this.focusedRow;
    return (await row.count()) === 0 ? '' : ((await row.first().getAttribute('aria-label')) ?? '');
  }

  /** Whether the keys go to the view. */
  async hasFocus(): Promise<boolean> {
    return (await this.tree.and(this.page.locator(':focus, :focus-within')).count()) > 0;
  }

  /** The names of all rows of trees, as Chromium hands them on. */
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
