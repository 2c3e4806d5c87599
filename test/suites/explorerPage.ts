import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, FrameLocator, Locator } from 'playwright-core';
import * as vscode from 'vscode';
import type { Theme } from './themes';
import type { Workbench } from './workbench';
import { leaveRows } from './rows';
import { execute } from './support';
import { poll } from './waiting';

/** What a page is told of each theme. */
const kinds: Readonly<Record<Theme, string>> = {
  'Default Dark Modern': 'vscode-dark',
  'Default Light Modern': 'vscode-light',
  'Default High Contrast': 'vscode-high-contrast',
  'Default High Contrast Light': 'vscode-high-contrast-light',
};

/** The page of the open Log Explorer, accessed by roles and accessible names. */
export class ExplorerPage {
  private readonly page: FrameLocator;

  /** @param t a text in the language of the window */
  constructor(
    private readonly workbench: Workbench,
    private readonly t = (text: string): string => text,
  ) {
    this.page = workbench.webview();
  }

  get filter(): Locator {
    return this.page.getByRole('combobox', { name: this.t('Filter') });
  }

  get grid(): Locator {
    return this.page.getByRole('grid', { name: this.t('Log records') });
  }

  get details(): Locator {
    return this.page.getByRole('region', { name: this.t('Details') });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** A heading of the tab that is shown. */
  heading(name: string): Locator {
    return this.page.locator('[role=tabpanel]:not([hidden]) [role=columnheader]').filter({ hasText: name });
  }

  locator(selector: string): Locator {
    return this.page.locator(selector);
  }

  /** Opens the explorer of a run. */
  async open(runId: string, options: object = {}): Promise<this> {
    await execute('agentLogs.openExplorer', { runId, ...options });
    return this.ready();
  }

  async ready(): Promise<this> {
    await leaveRows(this.workbench.page);
    await this.page.locator('body[data-ready=true]').waitFor();
    return this;
  }

  /** Waits for a number of matches, and returns it. */
  total(fits: (total: number) => boolean = () => true): Promise<number> {
    return poll(async () => Number(await this.grid.getAttribute('aria-rowcount'))).until(fits);
  }

  /** The active row as announced by a screen reader; '' if there is none. */
  async activeRow(): Promise<string> {
    const id = await this.grid.getAttribute('aria-activedescendant');
    // Retries if the row has scrolled away.
    const text =
      id === null
        ? ''
        : await this.page
            .locator(`#${id}`)
            .textContent({ timeout: 1000 })
            .catch(() => '');
    return text ?? '';
  }

  activeRowUntil(fits: (text: string) => boolean): Promise<string> {
    return poll(() => this.activeRow()).until(fits);
  }

  /** The frame itself, for scripts. */
  async frame(): Promise<Frame> {
    const element = await this.workbench.page
      .frameLocator('iframe.webview.ready')
      .locator('#active-frame')
      .elementHandle();
    const frame = await element.contentFrame();
    if (!frame) throw new Error('The page has no frame.');
    return frame;
  }

  /** The violations that axe-core finds, one per line. */
  async violations(): Promise<readonly string[]> {
    const frame = await this.frame();
    const { extensionPath } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
    if (await frame.evaluate("typeof axe === 'undefined'")) {
      await frame.evaluate(readFileSync(join(extensionPath, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
    }
    return frame.evaluate<string[]>(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
    );
  }

  /** The same in dark, and in each theme if this is the nightly run. */
  async violationsInThemes(): Promise<readonly string[]> {
    const found: string[] = [];
    const all = Object.entries(kinds) as [Theme, string][];
    for (const [theme, kind] of process.env['AGENT_LOGS_NIGHTLY'] === undefined ? all.slice(0, 1) : all) {
      await this.workbench.inTheme(theme, async () => {
        await this.page.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor();
        found.push(...(await this.violations()).map((violation) => `${theme}: ${violation}`));
      });
    }
    return found;
  }
}
