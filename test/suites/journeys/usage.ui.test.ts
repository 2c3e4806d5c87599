import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import { makeUnusualSessions } from '../../support/unusualSessions';
import { activeTab, showSavedSessions, temporaryFolder } from '../support';
import { eventually } from '../waiting';
import { Journey } from './journey';

describe('A journey: what agents used', () => {
  const journey = Journey.ofSuite('11-usage');
  const { page, workbench } = journey;
  const home = temporaryFolder();

  before(() => {
    makeUnusualSessions(home);
    return showSavedSessions({ claude: join(home, '.claude') });
  });

  it('says what sessions used in a week, and leads to each', async () => {
    const week = journey.t('Last 7 days');
    await journey.command('Show Tokens and Cost…');
    await workbench.asks(journey.t('Tokens and cost of saved sessions'));
    await journey.picture('periods', 'fleeting');
    await workbench.pick(week);
    await workbench.asks(journey.t('Tokens and cost: {0}', week));
    const rows = await workbench.quickPickRows();
    const of = (label: string): string => rows.find((row) => row.label === label)?.description ?? '';
    assert.ok(of('Claude Code').startsWith(`${journey.t('cost unknown')} · `), JSON.stringify(rows));
    assert.ok(of('Claude Code').endsWith(journey.t('{0} sessions', 4)), of('Claude Code'));
    assert.equal(of('claude-sonnet-4-5'), of('Claude Code'));
    assert.equal(of(journey.t('Set Prices of Models…')), journey.t('no price: {0}', 'claude-sonnet-4-5'));
    await journey.picture('cost', 'fleeting');
    await workbench.pick('Claude Code');
    await workbench.asks(`Claude Code: ${week}`);
    assert.equal((await workbench.quickPickRows()).length, 4);
    await journey.picture('cost-of-sessions', 'fleeting');
    await workbench.pick('Plan the bookshop');
    await eventually(() => activeTab().startsWith('Plan the bookshop'));
    await page.ready();
  });
});
