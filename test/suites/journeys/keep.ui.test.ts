import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClaudeLines } from '../../support/claudeLines';
import { configureUser, withModals } from '../support';
import { Journey, journeyTimeout, showSaved } from './journey';

const [older, newer] = ['Sort the books', 'Rename the shop'];
const day = 86_400;

describe('A journey: keeping sessions that their agent deletes', function () {
  this.timeout(journeyTimeout);
  const { XDG_STATE_HOME: state } = process.env;
  let journey: Journey;
  let home: string;
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

  function soon(): string {
    return journey.t('1 session will be deleted within 3 days');
  }

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    process.env['XDG_STATE_HOME'] = join(home, 'state');
    mkdirSync(join(home, '.claude', 'projects', '-home-dev-shop'), { recursive: true });
    file = save(1, older, 28);
    save(2, newer, 2);
    journey = await Journey.begin('10-keep');
    await showSaved({ claude: join(home, '.claude') });
  });

  after(async () => {
    await configureUser('savedSessions.keep', undefined);
    await showSaved(undefined);
    await journey.end();
    if (state === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = state;
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });

  it('says how many will be deleted soon', async () => {
    const group = journey.t('On This Machine');
    await journey.row(({ label }) => label === group);
    await journey.workbench.expandTreeRow(journey.view, group);
    await journey.row(({ label }) => label === 'Claude Code');
    await journey.workbench.expandTreeRow(journey.view, 'Claude Code');
    await journey.row(({ label }) => label === soon());
    await journey.picture('soon', 'tree');
  });

  it('copies those if the setting says so', async () => {
    await configureUser('savedSessions.keep', { agents: ['claude'] });
    await journey.rows(
      (rows) => rows.some(({ label }) => label === older) && !rows.some(({ label }) => label === soon()),
    );
    await configureUser('savedSessions.keep', undefined);
  });

  it('lists the copy when the agent has deleted the session, until the copy is deleted', async () => {
    rmSync(file);
    await journey.row(({ label, description }) => label === older && description.includes(journey.t('kept')));
    await journey.picture('kept', 'tree');
    await withModals(journey.t('Delete Copy'), async (questions) => {
      await journey.workbench.chooseFromTreeMenu(journey.view, older, journey.t('Delete Kept Copy…'));
      await journey.rows(
        (rows) => rows.some(({ label }) => label === newer) && !rows.some(({ label }) => label === older),
      );
      assert.deepEqual(questions, [journey.t('Delete the copy of {0}?', older)]);
    });
  });
});
