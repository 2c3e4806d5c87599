import * as assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import {
  agentLogs,
  configureAgents,
  execute,
  fake,
  fixture,
  recordOf,
  showSavedSessions,
  temporaryFolder,
} from '../support';
import { rowsBelow } from '../rows';
import { poll } from '../waiting';
import { Journey } from './journey';

const shop = 'Bookshop Agent';
const crashing = 'Price Agent';
const server = 'Search Server';
const failing = 'Run the tests';
const untouched = 'Claude Code of the whole team, with its own settings';
/** Its label. */
const cutName = 'Claude Code of t…';

/** What fits into a row of 300 pixels. */
const readable = 34;

describe('A journey: the tree of several agents', () => {
  const journey = Journey.ofSuite('4-tree');
  const { workbench } = journey;
  const home = temporaryFolder();

  before(async () => {
    const name = 'rollout-2026-11-22T09-10-38-01a20285-9548-7473-a9f4-ba9391a0f1b8.jsonl';
    cpSync(fixture('saved/codex-401.jsonl'), join(home, '.codex/sessions/2026/11/22', name));
    await showSavedSessions({ codex: join(home, '.codex') });
    await configureAgents({
      [shop]: fake('bookshop'),
      [crashing]: fake('bookshop'),
      [server]: { protocol: 'mcp', url: 'http://127.0.0.1:9/mcp' },
      [untouched]: { command: 'claude-code-acp' },
    });
    const api = await agentLogs();
    const run = await api.start(shop);
    const prompts = ['Round the school discount once.', 'Run the tests.', 'Nothing has this title yet, and it is long'];
    for (const text of prompts) await run.prompt(await run.newSession(), text);
    run.prompt(await run.newSession(), 'Import the new prices.').catch(() => undefined);
    await recordOf(run, ({ message }) => message.startsWith('Reading prices.csv'));
    const crashed = await api.start(crashing);
    await assert.rejects(crashed.prompt(await crashed.newSession(), 'Crash on the way.'));
    await assert.rejects(api.start(server));
    await execute('notifications.clearAll');
  });

  it('shows the sessions of a single run below its agent, and the connection last', async () => {
    const agents = [shop, crashing, server, cutName];
    const rows = await workbench.treeRowsUntil(
      (all) =>
        all.some(({ label }) => label.startsWith('Import the new')) &&
        agents.every((name) => all.some(({ label }) => label === name)),
    );
    const own = rowsBelow(rows, shop);
    assert.ok(own.length >= 5 && own.every(({ level }) => level === 2), JSON.stringify(own));
    assert.equal(own.at(-1)?.label, journey.t('Connection'));
    // No session is called by its ID.
    for (const { label } of own) assert.doesNotMatch(label, /shop-\d/);
    await journey.picture('all', 'tree');
  });

  it('says the cause first, where a narrow view still shows it', async () => {
    const text = async (name: string): Promise<string> => {
      const row = await workbench.row(({ label, description }) => label === name && description !== '');
      return `${row.label} ${row.description}`.slice(0, readable);
    };
    assert.match(await text(failing), /429|rate/i);
    assert.match(await text(crashing), new RegExp(journey.t('exit {0}', 7)));
    assert.match(await text(server), /\S/);
  });

  it('marks a collapsed agent with the worst of what is below', async () => {
    const row = workbench.treeRow(shop);
    await workbench.collapseTreeRow(shop);
    await poll(() => row.locator('.codicon-error, .codicon-warning').count()).until((count) => count > 0);
    const colored = await row.locator('.label-name').first().evaluate(colorOf);
    const plain = await workbench.treeRow(cutName).locator('.label-name').first().evaluate(colorOf);
    assert.notEqual(colored, plain);
    await journey.picture('collapsed', 'tree');
    await workbench.expandTreeRow(shop);
  });

  it('has at most three icons in its title, and two in a row', async () => {
    const title = workbench.page.locator('.part.sidebar .composite.title').getByRole('button');
    const buttons = await title.filter({ visible: true }).all();
    const names = await Promise.all(buttons.map((button) => button.getAttribute('aria-label')));
    assert.ok(names.filter((name) => name?.startsWith('Views and More Actions') !== true).length <= 3, names.join());
    for (const name of [shop, crashing, server, cutName, failing]) {
      const row = workbench.treeRow(name);
      await row.hover();
      assert.ok((await row.getByRole('button').count()) <= 2, name);
    }
  });

  it('unfolds what other agents saved, with the reason of a failure', async () => {
    await workbench.expandTreeRow(journey.t('On This Machine'));
    await workbench.expandTreeRow('Codex');
    const failed = `${journey.t('not logged in')} · ${journey.t('failed')} · `;
    await workbench.row(({ description }) => description.startsWith(failed));
    await journey.picture('saved', 'tree');
  });
});

/** The used part of the browser's types, because the suites are compiled without them. */
interface DrawnElement {
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(element: DrawnElement): { readonly color: string } };
  };
}

function colorOf(element: DrawnElement): string {
  return element.ownerDocument.defaultView.getComputedStyle(element).color;
}
