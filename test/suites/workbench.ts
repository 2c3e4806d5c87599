// Drives the window for UI suites. They run in the extension host, and connect to the browser (or the desktop
// window) over the Chrome DevTools Protocol. Everything waits for a condition; nothing sleeps.
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DrawnRow, Target } from './rows';
import { clickRow, leaveRows, readRows } from './rows';
import { sideBarEdge, sideBarSash } from './sideBar';
import { exactly, linesOf, plain, textOf } from './texts';
import { arePicturesWanted } from './pictures';
import { poll, timeoutMs } from './waiting';
import type { Theme } from './themes';
import { themes } from './themes';

/** In which all suites begin. */
const usualSize = { width: 1440, height: 900 };

export type QuickPickRow = Pick<DrawnRow, 'label' | 'description' | 'detail'>;

export type TreeRow = Omit<DrawnRow, 'detail'>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rectangle extends Size {
  readonly x: number;
  readonly y: number;
}

/** Each suite is a bundle of its own. */
const everySuite = globalThis as { agentLogsWorkbench?: Workbench };

export class Workbench {
  private constructor(
    private readonly browser: Browser,
    /** For anything that this class doesn't cover. */
    readonly page: Page,
  ) {}

  /** Connects to the window of this extension host, and gives it the size in which all suites begin. */
  static async connect(): Promise<Workbench> {
    const workbench = await Workbench.attach();
    await workbench.begin();
    return workbench;
  }

  /** Gives the window the size in which all suites begin, and the focus. */
  async begin(): Promise<void> {
    await this.page.setViewportSize(usualSize);
    await this.page.bringToFront();
    await leaveRows(this.page);
  }

  /**
   * Connects to the window as it is, once for all suites: a window keeps its size, and the focus, only while the driver that gave
   * it them is connected.
   */
  static async attach(): Promise<Workbench> {
    return (everySuite.agentLogsWorkbench ??= await Workbench.find());
  }

  /** The window of this launch, to which `index.ts` has connected before it loads suites. */
  static get attached(): Workbench {
    if (!everySuite.agentLogsWorkbench) throw new Error("AGENT_LOGS_CDP isn't set, so the window can't be driven.");
    return everySuite.agentLogsWorkbench;
  }

  private static async find(): Promise<Workbench> {
    const endpoint = process.env['AGENT_LOGS_CDP'];
    if (endpoint === undefined) throw new Error("AGENT_LOGS_CDP isn't set, so the window can't be driven.");
    const { chromium } = await import('playwright-core');
    const browser = await chromium.connectOverCDP(endpoint);
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      if ((await page.locator('.monaco-workbench').count()) === 0) continue;
      page.setDefaultTimeout(timeoutMs);
      return new Workbench(browser, page);
    }
    await browser.close();
    throw new Error(`Found no workbench at ${endpoint}.`);
  }

  /** Opens another window with its own extension host. Only in VS Code from npm. */
  async openWindow(folder: string): Promise<Workbench> {
    const address = new URL(this.page.url());
    const payload = JSON.parse(address.searchParams.get('payload') ?? '[]') as [string, string][];
    // Without the test parameters.
    const persons = payload.filter(([name]) => name !== 'extensionTestsPath');
    address.searchParams.set('payload', JSON.stringify(persons));
    address.searchParams.set('folder', folder);
    const page = await this.page.context().newPage();
    page.setDefaultTimeout(timeoutMs);
    await page.goto(address.href);
    await page.locator('.monaco-workbench').waitFor();
    return new Workbench(this.browser, page);
  }

  /** Shows the past runs in a window that `openWindow` opened, and returns the row of an agent's newest. */
  async pastRun(agent: string): Promise<TreeRow> {
    await this.page.getByRole('tab', { name: 'Agent Logs' }).first().click({ timeout: 60_000 });
    await this.tree.waitFor({ timeout: 60_000 });
    await this.row(({ label }) => label === 'Past Runs');
    await this.page.keyboard.press('Home');
    await this.expandTreeRow('Past Runs');
    return this.row(({ label }) => label.startsWith(agent));
  }

  /** Runs a command from the palette, by its full title `Category: Title`. */
  async runCommand(title: string): Promise<void> {
    await this.inPalette(async (timeout) => {
      await this.quickInput.fill(`>${title}`, { timeout });
      await this.quickPickRow
        .filter({ has: this.quickPickName(title) })
        .first()
        .waitFor({ timeout });
    });
    await this.pick(title);
  }

  /** Runs a command from the palette without the mouse. */
  async runCommandByKeys(title: string): Promise<void> {
    const focused = this.quickPickRow.and(this.page.locator('.focused'));
    await this.inPalette(async (timeout) => {
      await this.quickInput.waitFor({ timeout });
      await this.page.keyboard.type(title);
      await focused
        .filter({ has: this.quickPickName(title) })
        .first()
        .waitFor({ timeout });
    });
    await this.page.keyboard.press('Enter');
  }

  /**
   * Opens the palette until it shows what is asked for. It lists what is possible when it opens, which a command may become right
   * after; and an earlier action may take the focus, which closes it.
   */
  private async inPalette(ask: (timeout: number) => Promise<void>): Promise<void> {
    const isShown = async (): Promise<boolean> => {
      await this.page.keyboard.press('F1');
      try {
        await ask(5000);
        return true;
      } catch {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        return false;
      }
    };
    await poll(isShown).until((shown) => shown);
  }

  /** The rows of the open quick pick. */
  async quickPickRows(): Promise<QuickPickRow[]> {
    await this.quickPickRow.first().waitFor();
    return readRows(this.page.locator('.quick-input-widget .quick-input-list'));
  }

  /** The rows of the quick pick that is open or opens, once one has the text in its label. */
  offered(text: string): Promise<QuickPickRow[]> {
    return this.quickPickRowsUntil((rows) => rows.some(({ label }) => label.includes(text)));
  }

  quickPickRowsUntil(fits: (rows: readonly QuickPickRow[]) => boolean): Promise<QuickPickRow[]> {
    return poll(() => this.quickPickRows()).until(fits);
  }

  /** Picks a row of the open quick pick by its full label. */
  async pick(label: string): Promise<void> {
    await this.clickRow(this.quickPickRow.filter({ has: this.quickPickName(label) }).first(), { label });
  }

  /** Answers an agent's question, which ignores answers at first. */
  async pickInQuestion(label: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await this.pick(label);
  }

  /** Replaces the text of the open quick pick or input box. */
  async filterQuickInput(text: string): Promise<void> {
    await this.quickInput.fill(text);
  }

  /** Waits until a picker or an input box has this title, or one with this part. */
  async asks(title: string): Promise<void> {
    await this.page.locator('.quick-input-title', { hasText: title }).waitFor();
  }

  /**
   * Answers a question, once it is the one that is asked: the picker before it has the same input.
   * @param question its title, or a part of that
   */
  async answer(question: string, text: string): Promise<void> {
    await this.asks(question);
    await this.filterQuickInput(text);
    await this.page.keyboard.press('Enter');
  }

  /** The visible rows of our tree, from the top. */
  treeRows(): Promise<TreeRow[]> {
    return readRows(this.tree);
  }

  /** The same once they fit. */
  treeRowsUntil(fits: (rows: readonly TreeRow[]) => boolean): Promise<TreeRow[]> {
    return poll(() => this.treeRows()).until(fits);
  }

  /** The first row of the tree that fits, once there is one. Rows move while agents start and end. */
  async row(fits: (row: TreeRow) => boolean): Promise<TreeRow> {
    return (await this.treeRowsUntil((rows) => rows.some(fits))).find(fits)!;
  }

  /** A row of the tree, by its full label. */
  treeRow(label: string): Locator {
    return this.treeRowsNamed(label).first();
  }

  private treeRowsNamed(label: string): Locator {
    const name = this.page.locator('.label-name').filter({ hasText: exactly(label) });
    return this.tree.getByRole('treeitem').filter({ has: name });
  }

  async clickTreeRow(label: string): Promise<void> {
    await this.clickRow(this.treeRow(label), { label });
  }

  /** Expands a row, and waits until it's expanded. */
  async expandTreeRow(label: string): Promise<void> {
    await this.toggleTreeRow(label, true);
  }

  /** Collapses a row, and waits until it's collapsed. */
  async collapseTreeRow(label: string): Promise<void> {
    await this.toggleTreeRow(label, false);
  }

  private async toggleTreeRow(label: string, expanded: boolean): Promise<void> {
    // An agent that isn't started has the name of the group of its saved sessions.
    const row = this.treeRowsNamed(label).and(this.page.locator('[aria-expanded]')).first();
    const toggled = row.and(this.page.locator(`[aria-expanded="${expanded}"]`));
    if ((await row.getAttribute('aria-expanded')) === String(!expanded)) {
      await this.clickRow(row, { label, inside: { selector: '.monaco-tl-twistie' } });
    }
    await toggled.waitFor();
  }

  /** Clicks an inline button of a row, by its tooltip. */
  async clickTreeAction(label: string, action: string): Promise<void> {
    await this.clickRow(this.treeRow(label), {
      label,
      inside: { selector: `[role="button"][aria-label^=${JSON.stringify(action)}]` },
    });
  }

  /** Picks an item of a row's context menu. */
  async chooseFromTreeMenu(label: string, item: string): Promise<void> {
    await this.clickRow(this.treeRow(label), { label, button: 'right' });
    await this.chooseItem(this.page.getByRole('menuitem', { name: item }));
  }

  /** Picks an item of the menu that is open or opens. */
  async chooseItem(item: Locator): Promise<void> {
    await item.waitFor();
    const clicked = async (): Promise<boolean> => {
      // A menu ignores clicks right after it opened.
      await item.click({ timeout: 2000 }).catch(() => undefined);
      return item.isVisible();
    };
    await poll(clicked).until((isOpen) => !isOpen);
  }

  /** The items of a row's context menu. */
  async treeMenu(label: string): Promise<readonly string[]> {
    await this.clickRow(this.treeRow(label), { label, button: 'right' });
    const items = this.page.getByRole('menuitem');
    await items.filter({ hasText: 'Copy Diagnostic Report' }).waitFor();
    const texts = await items.allInnerTexts();
    await this.page.keyboard.press('Escape');
    return texts.map((text) => text.trim());
  }

  private clickRow(row: Locator, target: Target): Promise<void> {
    return clickRow(this.page, row, target, timeoutMs);
  }

  /** The visible lines of the output channel, from the top. Long lines are wrapped into several. */
  async outputLines(): Promise<string[]> {
    await this.outputEditor.locator('.view-line').first().waitFor();
    return linesOf(this.outputEditor);
  }

  outputLinesUntil(fits: (lines: readonly string[]) => boolean): Promise<string[]> {
    return poll(() => this.outputLines()).until(fits);
  }

  /** The text of a status bar item, by its ID in the extension. */
  async statusBarText(id: string): Promise<string> {
    return textOf(this.statusBarItem(id));
  }

  statusBarItem(id: string): Locator {
    return this.page.locator(`.statusbar-item[id$="${id}"]`);
  }

  /**
   * The texts of the notifications. During tests, VS Code shows no toasts and refuses modal dialogs, but keeps notifications in
   * its list, which this opens.
   */
  async notifications(): Promise<string[]> {
    await vscode.commands.executeCommand('notifications.showList');
    const texts = await this.notification('').locator('.notification-list-item-message').allTextContents();
    return texts.map((text) => plain(text).trim());
  }

  /** Waits for a notification that contains the text. Returns the texts of all. */
  notified(text: string): Promise<string[]> {
    return poll(() => this.notifications()).until((all) => all.some((shown) => shown.includes(text)));
  }

  /** The row of the notification that contains the text. */
  notification(text: string): Locator {
    return this.page.locator('.notifications-center .notification-list-item').filter({ hasText: text });
  }

  /** Clicks a button of the notification that contains the text. */
  async answerNotification(text: string, button: string): Promise<void> {
    await this.notified(text); // an empty list doesn't open
    await this.clickRow(this.notification(text).first(), {
      label: text,
      isPart: true,
      inside: { selector: '.notification-list-item-buttons-container [role="button"]', text: button },
    });
    await vscode.commands.executeCommand('notifications.hideList');
  }

  /** The page inside the visible webview panel. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /** Drags the side bar's edge. Returns its previous position. */
  async dragSideBar(to: number): Promise<number> {
    const before = await sideBarEdge(this.page);
    await poll(async () => {
      // A hover from a row may cover the sash at first.
      await this.page.mouse.move(await sideBarSash(this.page), 500);
      await this.page.mouse.down();
      await this.page.mouse.move(to, 500, { steps: 5 });
      await this.page.mouse.up();
      return sideBarEdge(this.page);
    }).until((at) => Math.abs(at - to) < 20);
    return before;
  }

  /** Does something in a window of another size. */
  async inSize<T>(size: Partial<Size>, work: () => Promise<T>): Promise<T> {
    const [width, height] = await this.page.evaluate<[number, number]>('[innerWidth, innerHeight]');
    await this.page.setViewportSize({ width, height, ...size });
    try {
      return await work();
    } finally {
      await this.page.setViewportSize({ width, height });
    }
  }

  /** Does something in another color theme. */
  async inTheme<T>(theme: Theme, work: () => Promise<T>): Promise<T> {
    const configuration = vscode.workspace.getConfiguration('workbench');
    await configuration.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
    await this.page.locator(`.monaco-workbench.${themes[theme]}`).waitFor();
    try {
      return await work();
    } finally {
      await configuration.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    }
  }

  /** Takes a screenshot of the window, or a part of it, as screenshots/NAME.png, if pictures are wanted. */
  async screenshot(name: string, part?: Rectangle): Promise<void> {
    if (arePicturesWanted) await this.photograph(name, part);
  }

  /** Takes a screenshot in any case. */
  async photograph(name: string, part?: Rectangle): Promise<void> {
    const folder = process.env['AGENT_LOGS_SCREENSHOTS'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({
      path: join(folder, `${name}.png`),
      animations: 'disabled', // a sash fades after the mouse has left it
      ...(part && { clip: part }),
    });
  }

  private get quickInput(): Locator {
    return this.page.locator('.quick-input-widget .quick-input-box input');
  }

  private get quickPickRow(): Locator {
    return this.page.locator('.quick-input-widget .quick-input-list .monaco-list-row');
  }

  private quickPickName(label: string): Locator {
    return this.page.locator('.quick-input-list-label .label-name').filter({ hasText: exactly(label) });
  }

  /** The view of the sessions, in English or German. */
  get tree(): Locator {
    return this.page.getByRole('tree', { name: /^(?:Sessions|Sitzungen)$/ });
  }

  private get outputEditor(): Locator {
    return this.page.locator('.output-view-container .monaco-editor, .output-view .monaco-editor').first();
  }
}
