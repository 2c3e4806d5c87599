import * as assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import * as vscode from 'vscode';
import type { Run } from '../../../api/agent-logs';
import { activeTab, agentLogs, configureAgents, execute, fake, recordOf, runOf, temporaryFolder } from '../support';
import { eventually, poll } from '../waiting';
import { Journey } from './journey';

describe('A journey: from a tool call to the MCP server, and back', () => {
  const journey = Journey.ofSuite('9-waterfall');
  const { page, workbench } = journey;
  let agent: Run;
  let server: Run;
  const folder = temporaryFolder();
  const config = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, '.mcp.json');

  before(async () => {
    writeFileSync(config, JSON.stringify({ mcpServers: { catalogue: fake('mcp-catalogue') } }));
    await configureAgents({ 'Bookshop Agent': { ...fake('mcp-caller'), mcpServers: 'watch' } });
    agent = await (await agentLogs()).start('Bookshop Agent');
    await agent.prompt(await agent.newSession(), 'Is there a copy of Momo?');
    server = await eventually(() => runOf('catalogue'));
    await recordOf(server, ({ message }) => message.includes('reserve'));
  });

  after(() => rmSync(config, { force: true }));

  async function open(run: Run): Promise<Locator> {
    await execute('workbench.action.closeAllEditors');
    await page.open(run.id, { tab: 'turns' });
    return page.locator('[role=treegrid]');
  }

  /** Clicks a row of Turns, and waits for both ends of its call. */
  async function select(grid: Locator, title: string): Promise<Locator> {
    await grid.locator('[role=row]').filter({ hasText: title }).first().locator('.title').click();
    await grid.locator('[aria-selected=true]').getByText(title).waitFor();
    const ends = page.locator('#panel-turns .both-ends');
    await ends.locator('.pair pre').nth(3).waitFor();
    return ends;
  }

  it('by lanes of what the server did, at its time', async () => {
    const grid = await open(agent);
    const lanes = grid.locator('[role=row]').filter({ hasText: `catalogue · ` });
    await poll(() => lanes.count()).until((count) => count === 3);
    const text = await grid.innerText();
    for (const part of ['Reading the index', 'index: 2 of 3 shards answered', 'The index is 9 days old']) {
      assert.ok(text.includes(part), part);
    }
    const inferred = grid.locator('[role=row]').filter({ hasText: journey.t('inferred') });
    assert.equal(await inferred.count(), 2);
    assert.equal(await inferred.filter({ hasText: 'find' }).count(), 0);
    await journey.explorerPicture('lanes');
  });

  it('by both ends side by side, with what was lost between them', async () => {
    const grid = await open(agent);
    const ends = await select(grid, 'mcp__catalogue__find');
    const lost = await ends.locator('.differences').innerText();
    const sizes = /1[.,]200 .* (\d[.,]\d{3}) /.exec(lost);
    assert.ok(sizes, lost);
    assert.ok(lost.includes(journey.t('Arguments changed on the way: {0}', journey.t('{0} (changed)', 'limit'))), lost);
    const [asked = '', got = ''] = await ends.locator('.pair > div').allInnerTexts();
    assert.match(asked, /mcp__catalogue__find[^]*"limit": 5000/);
    assert.match(got, /tools\/call[^]*"limit": 100/);
    const stacked = async (): Promise<boolean> => {
      const [one, other] = await Promise.all([0, 1].map((n) => ends.locator('.pair > div').nth(n).boundingBox()));
      return one!.y + one!.height <= other!.y + 1;
    };
    assert.equal(await stacked(), false);
    await journey.explorerPicture('both-ends');
    await workbench.inSize({ width: 660 }, async () => {
      await eventually(stacked);
      assert.deepEqual(await page.violations(), []);
      await journey.picture('narrow');
    });
  });

  it('by a failure that the agent took for a success', async () => {
    const ends = await select(await open(agent), 'mcp__catalogue__reserve');
    await ends.getByText(journey.t('The server reported an error, the agent a success.')).waitFor();
    const inferred = 'Inferred: the names, the arguments and the times fit. Neither run names the other.';
    await page.locator('#panel-turns').getByText(journey.t(inferred)).waitFor();
    await journey.explorerPicture('failure');
  });

  it('by a link to the request in the server’s run, and another one back', async () => {
    await select(await open(agent), 'mcp__catalogue__find');
    await page.button(journey.t('Show in {0}', 'catalogue')).click();
    await eventually(() => activeTab().startsWith('catalogue'));
    await page.ready();
    await page.locator('#wire-grid [aria-selected=true]').getByText('tools/call').waitFor();
    await page.locator('#panel-wire .pair pre').first().getByText('"limit": 100').waitFor();
    await journey.explorerPicture('in-server');
    await select(await open(server), 'stock');
    await page.button(journey.t('Called by {0}', 'Bookshop Agent')).click();
    await page.ready();
    await page.locator('[role=treegrid] [aria-selected=true]').getByText('mcp__catalogue__stock').waitFor();
  });

  it('in an exported trace', async () => {
    const uri = vscode.Uri.file(join(folder, 'trace.json'));
    await execute('agentLogs.exportTrace', { runId: agent.id, uri, format: 'chrome' });
    const { traceEvents } = JSON.parse(readFileSync(uri.fsPath, 'utf8')) as { traceEvents: { ph: string }[] };
    assert.equal(traceEvents.filter(({ ph }) => ph === 's').length, 3);
  });
});
