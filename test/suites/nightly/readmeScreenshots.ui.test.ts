import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../../api/agent-logs';
import { capabilityScenes, documentSize as size, narrowEdge, wideSize as wide } from '../capabilityScenes';
import { ExplorerPage } from '../explorerPage';
import type { ReadmePicture, WalkthroughPicture } from '../../support/readmePictures';
import { readmePictures, stepPicture, suitePicture, walkthroughPictures } from '../../support/readmePictures';
import {
  agentLogs,
  bookshopRun,
  configureAgents,
  endAll,
  ended,
  execute,
  failureOf,
  fake,
  inWindow,
  recordOf,
} from '../support';
import { arePicturesWanted } from '../pictures';
import type { Rectangle } from '../workbench';
import { eventually } from '../waiting';

const agent = 'Bookshop Agent';
const crashed = 'Price Agent';
/** Wide enough to read how the last turn ended. */
const sideBarEdge = 470;
/** The walkthrough shows its pictures at about two thirds of this. */
const step = { width: 900, height: 560 };
const stepEdge = 250;
/** Room for the cause and what to do below the records. */
const problemHeight = 760;
/** Where pickers open in a window of that width. Their lists grow with the window. */
const picker = { x: 150, y: 0, width: 600, height: 470 };
const pickerWindow = { ...step, height: 1000 };
/** Settings that remove distractions. */
const settings = { 'editor.minimap.enabled': false, 'editor.occurrencesHighlight': 'off' };

describe('In the window: pictures of the documents', () => {
  const workbench = inWindow();
  let run: Run;
  let usualEdge = sideBarEdge;

  before(async () => {
    await set(settings);
    await workbench.page.setViewportSize(size);
    usualEdge = await pullSideBar(sideBarEdge);
    await leaveCrashedRun();
    run = await bookshopRun();
    run.prompt(await run.newSession(), 'Import the new prices.').catch(() => undefined);
    await recordOf(run, ({ message }) => message.startsWith('Reading prices.csv'));
  });

  // Its driver stays connected: without one, the window loses the focus, and VS Code then saves no chats.
  after(async () => {
    await set(Object.fromEntries(Object.keys(settings).map((name) => [name, undefined])));
    await pullSideBar(usualEdge);
  });

  const scenes: Readonly<Record<ReadmePicture, () => Promise<void>>> = {
    async sessions() {
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder!.uri, 'src', 'basket.js'));
      await execute('agentLogs.showOutput', run.id);
      await execute('agentLogs.sessions.focus');
      await workbench.treeRowsUntil(
        (rows) =>
          rows.some(({ label, description }) => label.startsWith('Import the new p') && /running/.test(description)) &&
          rows.some(({ label }) => label === 'Past Runs'),
      ); // it redraws the whole tree
      await workbench.expandTreeRow('Run the tests');
      await workbench.treeRowsUntil(
        (rows) =>
          rows.some(({ label }) => label.startsWith('Turn failed')) &&
          rows.some(({ label }) => label.includes('exited with code')),
      );
      await workbench.outputLinesUntil((lines) => lines.some((line) => line.includes('[Import the new prices]')));
      await take('sessions');
    },

    async explorer() {
      await execute('workbench.action.closePanel');
      await workbench.page.setViewportSize(wide);
      await pullSideBar(narrowEdge);
      const page = await new ExplorerPage(workbench).open(run.id, { query: '-kind:lifecycle', seq: failureOf(run) });
      await page.details.getByRole('heading', { name: 'Evidence' }).waitFor();
      await page.locator('.histogram rect').first().waitFor();
      await take('explorer', wide.height, wide.width);
      await leaveExplorer();
    },

    async turns() {
      await workbench.page.setViewportSize(wide);
      await pullSideBar(narrowEdge);
      const page = await new ExplorerPage(workbench).open(run.id, { tab: 'turns', seq: failureOf(run) });
      await page.locator('[role=treegrid] [role=row]').filter({ hasText: 'Run the tests.' }).locator('.title').click();
      await page.button('Tools').click();
      await page.locator('#panel-turns').getByText('Why it failed').first().waitFor();
      await take('turns', 480, wide.width);
      await leaveExplorer();
    },

    async level() {
      await workbench.page.setViewportSize({ ...size, height: 1000 }); // the list grows with the window
      const picked = execute('agentLogs.setLevel');
      await workbench.offered('debug');
      await take('level', 470);
      await workbench.page.keyboard.press('Escape');
      await picked;
      await workbench.page.setViewportSize(size);
    },

    async 'past-run'() {
      await endAll(); // shows only past runs
      const opened = execute('agentLogs.openPastRun');
      await workbench.quickPickRowsUntil((rows) =>
        rows.some(({ label, detail }) => label === crashed && detail.includes('exited with code 7')),
      );
      await workbench.pick(crashed);
      await opened;
      const past = await eventually(async () => (await agentLogs()).runs.find(({ state }) => state === 'ended'));
      const row = await workbench.row(({ label }) => label.startsWith(`${crashed} `));
      await workbench.expandTreeRow(row.label);
      await workbench.expandTreeRow('Crash on the way');
      await execute('agentLogs.showTermination', past.id);
      await workbench.page.locator('.view-line', { hasText: 'Exit code:' }).first().waitFor();
      await workbench.row(({ label }) => label.startsWith('Turn never finished'));
      await take('past-run', 440);
    },

    ...capabilityScenes({ agent, workbench, take, pullSideBar, leaveExplorer }),
  };

  for (const name of readmePictures) it(name, () => scenes[name]());

  const steps: Readonly<Record<WalkthroughPicture, () => Promise<void>>> = {
    async sample() {
      await execute('agentLogs.startSampleAgent');
      const sample = (await agentLogs()).runs.find(({ state }) => state === 'running')!;
      const page = await new ExplorerPage(workbench).open(sample.id);
      await recordOf(sample, ({ logger, message }) => logger === 'turn' && message.startsWith('ended'));
      await page.total((total) => total > 20);
      await takeStep('sample');
      await execute('workbench.action.closeAllEditors');
      await sample.stop();
      await execute('agentLogs.removeRun', sample.id);
    },

    async addAgent() {
      await workbench.page.setViewportSize(pickerWindow);
      const adding = execute('agentLogs.addAgent');
      await workbench.offered('Claude Code');
      await takeStep('addAgent', picker);
      await workbench.page.keyboard.press('Escape');
      await adding;
    },

    async level() {
      await workbench.page.setViewportSize(pickerWindow);
      const picking = execute('agentLogs.setLevel', { agent });
      await workbench.offered('debug');
      await takeStep('level', picker);
      await workbench.page.keyboard.press('Escape');
      await picking;
    },

    async problems() {
      await workbench.page.setViewportSize({ ...step, height: problemHeight });
      const live = await (await agentLogs()).start(agent);
      await live.prompt(await live.newSession(), 'Run the tests.');
      // Lifecycle has paths of the machine.
      const page = await new ExplorerPage(workbench).open(live.id, { query: '-kind:lifecycle', seq: failureOf(live) });
      await page.details.getByRole('heading', { name: 'Evidence' }).waitFor();
      await takeStep('problems', { x: 0, y: 0, ...step, height: problemHeight });
      await execute('workbench.action.closeAllEditors');
    },
  };

  describe('of the walkthrough', () => {
    before(async () => {
      await endAll();
      await execute('workbench.action.closeAllEditors');
      await execute('workbench.action.closePanel');
      await workbench.page.setViewportSize(step);
      await pullSideBar(stepEdge);
    });

    for (const name of walkthroughPictures) it(name, () => steps[name]());
  });

  /** Leaves a past run that crashed. */
  async function leaveCrashedRun(): Promise<void> {
    await configureAgents({ [crashed]: fake('bookshop') });
    const live = await (await agentLogs()).start(crashed);
    await assert.rejects(live.prompt(await live.newSession(), 'Crash on the way.'));
    await ended(live);
    await execute('agentLogs.removeRun', live.id);
    await workbench.notified(crashed);
    await execute('notifications.clearAll');
  }

  async function leaveExplorer(): Promise<void> {
    await execute('workbench.action.closeAllEditors');
    await workbench.page.setViewportSize(size);
    await pullSideBar(sideBarEdge);
  }

  /** Drags the side bar's edge. Returns its previous position. */
  async function pullSideBar(to: number): Promise<number> {
    await execute('agentLogs.sessions.focus');
    return workbench.dragSideBar(to);
  }

  /** Takes a picture of the window down to the given height. */
  async function take(name: ReadmePicture, height = size.height, width = size.width): Promise<void> {
    await takePart(suitePicture(name), { x: 0, y: 0, width, height });
  }

  async function takeStep(name: WalkthroughPicture, part: Rectangle = { x: 0, y: 0, ...step }): Promise<void> {
    if (arePicturesWanted) await workbench.inTheme('Default Dark Modern', () => takePart(stepPicture(name), part));
  }

  /** With the mouse where it shows no tooltip. */
  async function takePart(name: string, part: Rectangle): Promise<void> {
    const below = part === picker ? pickerWindow.height - 200 : part.height - 10;
    await workbench.page.mouse.move(part.width / 2, below);
    await workbench.page.locator('.monaco-sash:is(.hover, .active)').first().waitFor({ state: 'hidden' });
    await workbench.page.locator('.workbench-hover-container').first().waitFor({ state: 'hidden' });
    await workbench.screenshot(name, part);
  }
});

async function set(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Workspace);
  }
}
