import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { contrastsOf, iconsOf } from '../looks';
import { walkthroughPictures } from '../../support/readmePictures';
import { agentLogs, configureAgents, endAll, fake, recordOf } from '../support';
import { themes } from '../themes';
import { Workbench } from '../workbench';

const view = 'Sessions';

/** The suites run in the dark one. */
const others = ['Default High Contrast', 'Default High Contrast Light', 'Default Light Modern'] as const;

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

describe('In the window: themes', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.connect();
    await configureAgents({ Crashes: fake('crashesInTurn') });
    const api = await agentLogs();
    const crashed = await api.start('Crashes');
    await assert.rejects(crashed.prompt(await crashed.newSession(), 'go'));
    const sample = await api.start('Sample Agent');
    await sample.prompt(await sample.newSession(), '/levels');
    await recordOf(sample, ({ logger, message }) => logger === 'turn' && message.startsWith('ended'));
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await vscode.commands.executeCommand('agentLogs.showOutput', sample.id);
    await workbench.expandTreeRow(view, '/levels');
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  after(async () => {
    await theme(undefined);
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await endAll();
    await configureAgents({});
  });

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
        const rows = await workbench.treeRowsUntil(view, (all) =>
          all.some(({ description }) => description.startsWith('emergency')),
        );
        assert.ok(rows.some(({ description }) => description.startsWith('error')));
        await workbench.screenshot(`theme-${is}-1-tree-and-output`);
        const faint = (await contrastsOf(workbench.page, view)).filter(({ ratio }) => ratio < leastContrast);
        assert.deepEqual(faint, []);
      });

      it('distinguish levels by more than color', async () => {
        const icons = await iconsOf(workbench.page, view);
        const levels = new Map(
          (await workbench.treeRows(view)).flatMap(({ description }, index) => {
            const [, level] = /^(\w+) · \d\d:\d\d:\d\d$/.exec(description) ?? [];
            return level === undefined ? [] : [[level, icons[index]] as const];
          }),
        );
        assert.ok(levels.size >= 6, [...levels.keys()].join());
        assert.equal(new Set(levels.values()).size, levels.size, JSON.stringify([...levels]));
      });

      it('show pickers, the walkthrough and a record', async () => {
        // The agent of an open explorer would be offered, too.
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await workbench.runCommand('Agent Logs: Set Log Level…');
        await workbench.offered('emergency');
        await workbench.screenshot(`theme-${is}-2-picker`);
        await workbench.page.keyboard.press('Escape');
        await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'agent-logs.agent-logs#start');
        const steps = await workbench.page.locator('.getting-started-step .step-title').all();
        for (const [index, step] of steps.entries()) {
          await step.click();
          // Each picture replaces the one before it.
          const name = walkthroughPictures[index] ?? '';
          await workbench.page.locator(`.getting-started-media img[srcset*="${name}.webp"]`).waitFor();
          await workbench.screenshot(`theme-${is}-3-walkthrough-${index + 1}`);
        }
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await vscode.commands.executeCommand('agentLogs.nextProblem');
        await workbench.screenshot(`theme-${is}-4-record`);
      });
    });
  }
});
