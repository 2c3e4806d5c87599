import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUnusualSessions } from '../../support/unusualSessions';
import { Journey, journeyTimeout, showSaved } from './journey';

/** What is unusual about a session leaves less room for its title. */
const [killed, fork] = ['Run the slow tes…', 'Sell records ins…'];

describe('A journey: sessions that were forked, killed, or continued twice', function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  let home: string;

  before(async () => {
    journey = await Journey.begin('11-counted');
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    makeUnusualSessions(home);
    await showSaved({ claude: join(home, '.claude') });
  });

  after(async () => {
    await journey.end();
    await showSaved(undefined);
    rmSync(home, { recursive: true, force: true });
  });

  it('says so in their rows', async () => {
    const { workbench } = journey;
    const group = journey.t('On This Machine');
    await journey.row(({ label }) => label === group);
    await workbench.expandTreeRow(journey.view, group);
    await journey.row(({ label }) => label === 'Claude Code');
    await workbench.expandTreeRow(journey.view, 'Claude Code');
    const rows = await journey.rows((all) => all.some(({ label }) => label === 'Plan the bookshop'));
    const listed = rows.filter(({ level }) => level === 3);
    assert.deepEqual(
      listed.map(({ label, description }) => `${label} ${description.split(' · ')[0]}`),
      [
        'Add a discount shop',
        `${killed} ${journey.t('open')}`,
        `${fork} ${journey.t('fork')}`,
        'Plan the bookshop shop',
      ],
    );
    await journey.picture('list', 'tree');
  });

  it('shows the second terminal below its session', async () => {
    await journey.clickRow('Add a discount');
    await journey.page.ready();
    await journey.row(({ label, level }) => label === 'Write the test for it' && level === 4);
    await journey.picture('two-terminals', 'tree');
    await journey.clickRow(killed);
    await journey.page.ready();
    await journey.clickRow(fork);
    await journey.page.ready();
    await journey.picture('opened', 'tree');
  });
});
