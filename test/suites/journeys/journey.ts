import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ExplorerPage } from '../explorerPage';
import { arePicturesWanted } from '../pictures';
import { leaveRows } from '../rows';
import { execute, inWindow } from '../support';
import type { Theme } from '../themes';
import { themes } from '../themes';
import type { Workbench } from '../workbench';

/** VS Code's bar of views, left of the side bar. */
const activityBar = 48;
const widths = [200, 300, 400] as const;
/** VS Code makes no editor narrower. */
const leastEditor = 220;

/** What a picture is of: its widths are those of the side bar, the explorer or a text; what the mouse has opened bears no widths. */
type Surface = 'window' | 'tree' | 'explorer' | 'text' | 'fleeting';

/**
 * What a user comes for, by mouse and keys, in the language of the window. `npm run screenshots -- --journeys` takes pictures
 * on the way; other runs only check what is there.
 */
export class Journey {
  readonly page: ExplorerPage;
  private readonly german = germanTexts();
  private pictures = 0;

  private constructor(
    private readonly name: string,
    readonly workbench: Workbench,
  ) {
    this.page = new ExplorerPage(workbench, (text) => this.t(text));
  }

  /** For a suite, in a window without agents, runs and editors. */
  static ofSuite(name: string): Journey {
    return new Journey(name, inWindow());
  }

  /** A text of the extension as this window shows it. */
  t(text: string, ...args: readonly (string | number)[]): string {
    const shown = this.german === undefined ? text : this.german[text];
    assert.ok(shown !== undefined, `"${text}" has no translation.`);
    return args.reduce<string>((filled, arg, index) => filled.replaceAll(`{${index}}`, () => String(arg)), shown);
  }

  /** Runs a command from the palette, by its English title. */
  async command(title: string): Promise<void> {
    await this.workbench.runCommand(`Agent Logs: ${this.t(title)}`);
  }

  /** Clicks the button of a row. */
  async clickAction(label: string, action: string): Promise<void> {
    await this.workbench.clickTreeAction(label, this.t(action));
  }

  /** Checks the open explorer with axe, and takes its pictures. */
  async explorerPicture(what: string, surface: 'explorer' | 'fleeting' = 'explorer'): Promise<void> {
    assert.deepEqual(await this.page.violations(), [], what);
    await this.picture(what, surface);
  }

  /** Takes pictures in all themes and widths, if they are asked for. */
  async picture(what: string, surface: Surface = 'window'): Promise<void> {
    if (!arePicturesWanted) return;
    const name = `${this.name}-${++this.pictures}-${what}`;
    if (surface !== 'fleeting') await leaveRows(this.workbench.page);
    // Colors are the same in every language.
    for (const theme of this.german === undefined
      ? (Object.keys(themes) as Theme[])
      : (['Default Dark Modern'] as const)) {
      await this.workbench.inTheme(theme, async () => {
        if (surface === 'explorer') assert.deepEqual(await this.page.violations(), [], `${what} in ${theme}`);
        await this.take(`${name}-${themes[theme]}`);
      });
    }
    if (surface === 'tree') await this.inSideBars(name);
    if (surface === 'explorer') await this.inEditors(name, () => this.page.ready());
    if (surface === 'text') await this.inEditors(name);
  }

  private async inSideBars(name: string): Promise<void> {
    let usual: number | undefined;
    for (const width of widths) {
      const before = await this.workbench.dragSideBar(activityBar + width);
      usual ??= before;
      await leaveRows(this.workbench.page);
      await this.take(`${name}-${width}`, activityBar + width);
    }
    if (usual !== undefined) await this.workbench.dragSideBar(usual);
  }

  private async inEditors(name: string, isReady?: () => Promise<unknown>): Promise<void> {
    await execute('workbench.action.toggleSidebarVisibility');
    try {
      for (const narrow of widths) {
        await this.workbench.inSize({ width: activityBar + Math.max(narrow, leastEditor) }, async () => {
          await isReady?.();
          await this.take(`${name}-${narrow}`);
        });
      }
    } finally {
      await execute('workbench.action.toggleSidebarVisibility');
    }
  }

  private async take(name: string, width?: number): Promise<void> {
    const { page } = this.workbench;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const height = await page.evaluate<number>('innerHeight');
    const part = width === undefined ? undefined : { x: 0, y: 0, width, height };
    await this.workbench.screenshot(`journey-${this.german === undefined ? 'en' : 'de'}-${name}`, part);
  }
}

/** The translations by their English texts, in a German window. */
function germanTexts(): Readonly<Record<string, string>> | undefined {
  if (!vscode.env.language.startsWith('de')) return undefined;
  const { extensionPath } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
  const read = (file: string): Record<string, string> =>
    JSON.parse(readFileSync(join(extensionPath, file), 'utf8')) as Record<string, string>;
  const [english, german] = [read('package.nls.json'), read('package.nls.de.json')];
  const manifest = Object.entries(english).map(([key, text]): [string, string] => [text, german[key] ?? text]);
  return { ...Object.fromEntries(manifest), ...read('l10n/bundle.l10n.de.json') };
}
