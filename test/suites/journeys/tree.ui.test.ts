import * as assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { agentLogs, configureAgents, fake, recordOf } from '../support';
import { eventually } from '../workbench';
import { Journey, journeyTimeout, showSaved } from './journey';

const shop = 'Bookshop Agent';
const crashing = 'Price Agent';
const server = 'Search Server';
const failing = 'Run the tests';
const untouched = 'Claude Code of the whole team, with its own settings';
/** Its label. */
const cutName = 'Claude Code of t…';

/** What fits into a row of 300 pixels. */
const readable = 34;

describe('A journey: the tree of several agents', function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  let home: string;

  before(async () => {
    journey = await Journey.begin('4-tree');
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    const saved = join(
      home,
      '.codex/sessions/2026/11/22/rollout-2026-11-22T09-10-38-01a20285-9548-7473-a9f4-ba9391a0f1b8.jsonl',
    );
    mkdirSync(dirname(saved), { recursive: true });
    const { extensionPath } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
    cpSync(join(extensionPath, 'test', 'fixtures', 'saved', 'codex-401.jsonl'), saved);
    await showSaved({ codex: join(home, '.codex') });
    await configureAgents({
      [shop]: fake('bookshop'),
      [crashing]: fake('bookshop'),
      [server]: { protocol: 'mcp', url: 'http://127.0.0.1:9/mcp' },
      [untouched]: { command: 'claude-code-acp' },
    });
    const api = await agentLogs();
    const run = await api.start(shop);
    for (const text of [
      'Round the school discount once.',
      'Run the tests.',
      'Nothing has this title yet, and it is long',
    ]) {
      await run.prompt(await run.newSession(), text);
    }
    run.prompt(await run.newSession(), 'Import the new prices.').catch(() => undefined);
    await recordOf(run, ({ message }) => message.startsWith('Reading prices.csv'));
    const crashed = await api.start(crashing);
    await assert.rejects(crashed.prompt(await crashed.newSession(), 'Crash on the way.'));
    await assert.rejects(api.start(server));
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  after(async () => {
    await journey.end();
    await showSaved(undefined);
    rmSync(home, { recursive: true, force: true });
  });

  it('shows the sessions of a single run below its agent, and the connection last', async () => {
    const agents = [shop, crashing, server, cutName];
    const rows = await journey.rows(
      (all) =>
        all.some(({ label }) => label.startsWith('Import the new')) &&
        agents.every((name) => all.some(({ label }) => label === name)),
    );
    const at = rows.findIndex(({ label }) => label === shop);
    const below = rows.slice(at + 1);
    const own = below.slice(
      0,
      below.findIndex(({ level }) => level === 1),
    );
    assert.ok(own.length >= 5 && own.every(({ level }) => level === 2), JSON.stringify(own));
    assert.equal(own.at(-1)?.label, journey.t('Connection'));
    assert.ok(
      own.every(({ label }) => !/shop-\d/.test(label)),
      'no session is called by its ID',
    );
    await journey.picture('all', 'tree');
  });

  it('says the cause first, where a narrow view still shows it', async () => {
    const text = async (name: string): Promise<string> => {
      const row = await journey.row(({ label, description }) => label === name && description !== '');
      return `${row.label} ${row.description}`.slice(0, readable);
    };
    assert.match(await text(failing), /429|rate/i);
    assert.match(await text(crashing), new RegExp(journey.t('exit {0}', 7)));
    assert.match(await text(server), /\S/);
  });

  it('marks a collapsed agent with the worst of what is below', async () => {
    const { workbench } = journey;
    const row = workbench.treeRow(journey.view, shop);
    await workbench.collapseTreeRow(journey.view, shop);
    await eventually(
      () => row.locator('.codicon-error, .codicon-warning').count(),
      (count) => count > 0,
    );
    const colored = await row.locator('.label-name').first().evaluate(colorOf);
    const plain = await workbench.treeRow(journey.view, cutName).locator('.label-name').first().evaluate(colorOf);
    assert.notEqual(colored, plain);
    await journey.picture('collapsed', 'tree');
    await workbench.expandTreeRow(journey.view, shop);
  });

  it('has at most three icons in its title, and two in a row', async () => {
    const { workbench } = journey;
    const title = workbench.page
      .locator('.part.sidebar .composite.title')
      .getByRole('button')
      .filter({ visible: true });
    const names = await Promise.all((await title.all()).map((button) => button.getAttribute('aria-label')));
    assert.ok(names.filter((name) => name?.startsWith('Views and More Actions') !== true).length <= 3, names.join());
    for (const name of [shop, crashing, server, cutName, failing]) {
      const row = workbench.treeRow(journey.view, name);
      await row.hover();
      assert.ok((await row.getByRole('button').count()) <= 2, name);
    }
  });

  it('unfolds what other agents saved, with the reason of a failure', async () => {
    const { workbench } = journey;
    const group = journey.t('On This Machine');
    await journey.row(({ label }) => label === group);
    await workbench.expandTreeRow(journey.view, group);
    await journey.row(({ label }) => label === 'Codex');
    await workbench.expandTreeRow(journey.view, 'Codex');
    const failed = `${journey.t('not logged in')} · ${journey.t('failed')} · `;
    await journey.row(({ description }) => description.startsWith(failed));
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
