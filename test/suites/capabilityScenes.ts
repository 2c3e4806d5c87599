import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ReadmePicture } from '../support/readmePictures';
import { makeSamples, sampleFolders } from '../support/savedSamples';
import { ExplorerPage } from './explorerPage';
import {
  agentLogs,
  configureAgents,
  endAll,
  execute,
  fake,
  fixture,
  recordOf,
  runOf,
  showSavedSessions,
} from './support';
import type { Workbench } from './workbench';
import { eventually, poll } from './waiting';

/** Of the window, in the pictures of the documents. */
export const documentSize = { width: 1200, height: 720 };
/** Room for the explorer and its details. */
export const wideSize = { width: 1280, height: 800 };
/** Of the side bar beside the explorer. */
export const narrowEdge = 300;
/** Room for the whole review of what is shared. */
const tall = { width: 900, height: 890 };
/** Room for the titles and outcomes of saved sessions. */
const machineEdge = 400;
/** What a user wouldn't want to share: a path, a secret with a name, and one without. */
const privatePrompt =
  'Fix the tests. Their data is in /home/anna/bookshop, ask anna@bookshop.example. ' +
  'SHOP_API_KEY=w4NcT9rBq2ZxLmV7sKpY8gHd and the other one is q7Rz2LmX9vKp4TgW8sYb3NcH';

/** What the scenes share with the suite that takes their pictures. */
export interface Stage {
  readonly agent: string;
  readonly workbench: Workbench;
  readonly take: (name: ReadmePicture, height?: number, width?: number) => Promise<void>;
  readonly pullSideBar: (to: number) => Promise<number>;
  readonly leaveExplorer: () => Promise<void>;
}

type CapabilityPicture = Extract<ReadmePicture, 'share' | 'waterfall' | 'saved-sessions'>;

/** Scenes of what has a page of its own in the documents. Each leaves no run behind. */
export function capabilityScenes({
  agent,
  workbench,
  take,
  pullSideBar,
  leaveExplorer,
}: Stage): Readonly<Record<CapabilityPicture, () => Promise<void>>> {
  return {
    async share() {
      await execute('workbench.action.closeAllEditors');
      await workbench.page.setViewportSize(tall);
      const live = await (await agentLogs()).start(agent);
      await live.prompt(await live.newSession(), privatePrompt);
      const shared = execute('agentLogs.share', { runId: live.id });
      const review = workbench.webview();
      await review
        .getByRole('status')
        .filter({ hasText: /File size: [\d.]+ / })
        .waitFor();
      await execute('workbench.action.closeSidebar');
      await execute('workbench.action.closePanel');
      await take('share', tall.height, tall.width);
      await review.getByRole('button', { name: 'Cancel', exact: true }).click();
      await shared;
      await execute('agentLogs.sessions.focus');
      await endAll();
      await workbench.page.setViewportSize(documentSize);
    },

    async waterfall() {
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      const config = join(folder!.uri.fsPath, '.mcp.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { catalogue: fake('mcp-catalogue') } }));
      await configureAgents({ [agent]: { ...fake('mcp-caller'), mcpServers: 'watch' } });
      const caller = await (await agentLogs()).start(agent);
      await caller.prompt(await caller.newSession(), 'Is there a copy of Momo?');
      const server = await eventually(() => runOf('catalogue'));
      await recordOf(server, ({ message }) => message.includes('reserve'));
      await workbench.page.setViewportSize(wideSize);
      await pullSideBar(narrowEdge);
      const page = await new ExplorerPage(workbench).open(caller.id, { tab: 'turns' });
      const rows = page.locator('[role=treegrid] [role=row]');
      await poll(() => rows.filter({ hasText: 'catalogue · ' }).count()).until((count) => count === 3);
      await rows.filter({ hasText: 'mcp__catalogue__find' }).first().locator('.title').click();
      await page.locator('#panel-turns .both-ends .pair pre').nth(3).waitFor();
      await execute('workbench.action.closePanel');
      await execute('workbench.action.closeSidebar');
      await take('waterfall', 660, wideSize.width);
      rmSync(config);
      await configureAgents({ [agent]: fake('bookshop') });
      await endAll();
      await leaveExplorer();
    },

    async 'saved-sessions'() {
      const home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
      makeSamples(home, fixture('saved'));
      await workbench.page.setViewportSize(wideSize);
      await pullSideBar(machineEdge);
      await showSavedSessions(sampleFolders(home));
      await workbench.expandTreeRow('On This Machine');
      for (const name of ['Claude Code', 'Codex', 'goose']) await workbench.row(({ label }) => label === name);
      await workbench.expandTreeRow('Codex');
      const wanted = await workbench.row(({ label }) => label.startsWith('List the files'));
      await workbench.clickTreeRow(wanted.label);
      const page = await new ExplorerPage(workbench).ready();
      await page.total((total) => total > 3);
      await page.locator('[role=tab]').filter({ hasText: 'Turns' }).click();
      await poll(() => page.locator('[role=treegrid] [role=row]').count()).until((count) => count > 1);
      await take('saved-sessions', 620, wideSize.width);
      await showSavedSessions();
      await endAll();
      await leaveExplorer();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
