import * as assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeLines } from '../../support/claudeLines';
import { configureUser, execute, showSavedSessions, temporaryFolder, withEnvironment, withModals } from '../support';
import { Journey } from './journey';

const [oldest, older, newer] = ['Count the books', 'Sort the books', 'Rename the shop'];
const day = 86_400;

describe('A journey: keeping sessions that their agent deletes', () => {
  const journey = Journey.ofSuite('10-keep');
  const { workbench } = journey;
  const home = temporaryFolder();
  withEnvironment({ XDG_STATE_HOME: join(home, 'state') });
  /** Of the older session. */
  let file: string;

  /** A session that hasn't changed for so many days. Returns its file. */
  function save(number: number, prompt: string, age: number): string {
    const lines = new ClaudeLines(`0c5f0f0e-0000-4000-8000-00000000000${number}`);
    const path = join(home, '.claude', 'projects', '-home-dev-shop', `${lines.session}.jsonl`);
    const all = [lines.prompt('u1', prompt), lines.answer('u2', 'm1', [1, 1])];
    writeFileSync(path, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const at = Date.now() / 1000 - age * day;
    utimesSync(path, at, at);
    return path;
  }

  const soon = (count: number): string =>
    journey.t(
      count === 1 ? '1 session will be deleted within 3 days' : '{0} sessions will be deleted within 3 days',
      count,
    );

  before(async () => {
    mkdirSync(join(home, '.claude', 'projects', '-home-dev-shop'), { recursive: true });
    file = save(1, older, 28);
    save(2, newer, 2);
    save(3, oldest, 29);
    await showSavedSessions({ claude: join(home, '.claude') });
  });

  after(() => configureUser('savedSessions.keep', undefined));

  it('says how many will be deleted soon', async () => {
    await workbench.expandTreeRow(journey.t('On This Machine'));
    await workbench.expandTreeRow('Claude Code');
    await workbench.row(({ label }) => label === soon(2));
    await journey.picture('soon', 'tree');
  });

  it('copies those that are chosen', async () => {
    await workbench.clickTreeRow(soon(2));
    const rows = await workbench.offered(oldest);
    await journey.picture('choose', 'fleeting');
    // All are chosen at first.
    await workbench.pick(rows.find(({ label }) => label.includes(oldest))!.label);
    await execute('workbench.action.acceptSelectedQuickOpenItem');
    await workbench.row(({ label }) => label === soon(1));
  });

  it('copies all of them if the setting says so', async () => {
    await configureUser('savedSessions.keep', { agents: ['claude'] });
    await workbench.treeRowsUntil(
      (rows) => rows.some(({ label }) => label === older) && !rows.some(({ label }) => label === soon(1)),
    );
    await configureUser('savedSessions.keep', undefined);
  });

  it('lists the copy when the agent has deleted the session, until the copy is deleted', async () => {
    rmSync(file);
    await workbench.row(({ label, description }) => label === older && description.includes(journey.t('kept')));
    await journey.picture('kept', 'tree');
    await withModals(journey.t('Delete Copy'), async (questions) => {
      await workbench.chooseFromTreeMenu(older, journey.t('Delete Kept Copy…'));
      await workbench.treeRowsUntil(
        (rows) => rows.some(({ label }) => label === newer) && !rows.some(({ label }) => label === older),
      );
      assert.deepEqual(questions, [journey.t('Delete the copy of {0}?', older)]);
    });
  });
});
