import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench';

/** A tree view as exposed to screen readers. */
export class ScreenReader {
  constructor(private readonly workbench: Workbench) {}

  /** The focused row. */
  get focusedRow(): Locator {
    return this.workbench.tree.getByRole('treeitem').and(this.workbench.page.locator('.focused'));
  }

  /** The announcement of the focused row; '' if there is none. */
  async saysOfFocused(): Promise<string> {
    const row = this.focusedRow;
    return (await row.count()) === 0 ? '' : ((await row.first().getAttribute('aria-label')) ?? '');
  }

  /** Whether the view has the focus. */
  async hasFocus(): Promise<boolean> {
    return (await this.workbench.tree.and(this.workbench.page.locator(':focus, :focus-within')).count()) > 0;
  }

  /** The accessible names of all rows of trees, from Chromium. */
  async saysOfRows(): Promise<string[]> {
    const session = await this.workbench.page.context().newCDPSession(this.workbench.page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    await session.detach();
    return nodes
      .filter(({ role, ignored }) => !ignored && role?.value === 'treeitem')
      .map(({ name }) => String(name?.value));
  }
}
