import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { contrastsOf, iconsOf } from '../looks';
import { agentLogs, crashedRun, execute, fake, inWindow, recordOf } from '../support';
import { themes } from '../themes';

/** The suites run in the dark one. */
const others = ['Default High Contrast', 'Default High Contrast Light', 'Default Light Modern'] as const;

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

describe('In the window: themes', () => {
  const workbench = inWindow({ Crashes: fake('crashesInTurn') });

  before(async () => {
    await crashedRun();
    const sample = await (await agentLogs()).start('Sample Agent');
    await sample.prompt(await sample.newSession(), '/levels');
    await recordOf(sample, ({ logger, message }) => logger === 'turn' && message.startsWith('ended'));
    await execute('agentLogs.showOutput', sample.id);
    await workbench.expandTreeRow('/levels');
    await execute('notifications.clearAll');
  });

  after(() => theme(undefined));

  async function theme(name: string | undefined): Promise<void> {
    const settings = vscode.workspace.getConfiguration('workbench');
    await settings.update('colorTheme', name, vscode.ConfigurationTarget.Global);
  }

  for (const name of others) {
    const is = themes[name];
    describe(name, () => {
      before(async () => {
        await theme(name);
        await workbench.page.locator(`.monaco-workbench.${is}`).waitFor();
      });

      it('have readable rows in the tree', async () => {
        for (const level of ['emergency', 'error']) {
          await workbench.row(({ description }) => description.startsWith(level));
        }
        await workbench.screenshot(`theme-${is}-1-tree-and-output`);
        const faint = (await contrastsOf(workbench.tree)).filter(({ ratio }) => ratio < leastContrast);
        assert.deepEqual(faint, []);
      });

      it('distinguish levels by more than color', async () => {
        const icons = await iconsOf(workbench.tree);
        const levels = new Map(
          (await workbench.treeRows()).flatMap(({ description }, index) => {
            const [, level] = /^(\w+) · \d\d:\d\d:\d\d$/.exec(description) ?? [];
            return level === undefined ? [] : [[level, icons[index]] as const];
          }),
        );
        assert.ok(levels.size >= 6, [...levels.keys()].join());
        assert.equal(new Set(levels.values()).size, levels.size, JSON.stringify([...levels]));
      });
    });
  }
});
