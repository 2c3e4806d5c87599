import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUnusualSessions } from '../../support/unusualSessions';
import { Journey, journeyTimeout, showSaved } from './journey';

describe('A journey: what agents used', function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  let home: string;

  before(async () => {
    journey = await Journey.begin('11-usage');
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    makeUnusualSessions(home);
    await showSaved({ claude: join(home, '.claude') });
  });

  after(async () => {
    await journey.end();
    await showSaved(undefined);
    rmSync(home, { recursive: true, force: true });
  });

  it('says what sessions used in a week, and leads to each', async () => {
    const { workbench } = journey;
    const asks = (title: string): Promise<void> =>
      workbench.page.locator('.quick-input-title', { hasText: title }).waitFor();
    const week = journey.t('Last 7 days');
    await journey.command('Show Tokens and Cost…');
    await asks(journey.t('Tokens and cost of saved sessions'));
    await journey.picture('periods', 'fleeting');
    await workbench.pick(week);
    await asks(journey.t('Tokens and cost: {0}', week));
    const rows = await workbench.quickPickRows();
    const of = (label: string): string => rows.find((row) => row.label === label)?.description ?? '';
    assert.ok(of('Claude Code').startsWith(`${journey.t('cost unknown')} · `), JSON.stringify(rows));
    assert.ok(of('Claude Code').endsWith(journey.t('{0} sessions', 4)), of('Claude Code'));
    assert.equal(of('claude-sonnet-4-5'), of('Claude Code'));
    assert.equal(of(journey.t('Set Prices of Models…')), journey.t('no price: {0}', 'claude-sonnet-4-5'));
    await journey.picture('cost', 'fleeting');
    await workbench.pick('Claude Code');
    await asks(`Claude Code: ${week}`);
    assert.equal((await workbench.quickPickRows()).length, 4);
    await journey.picture('cost-of-sessions', 'fleeting');
    await workbench.pick('Plan the bookshop');
    await workbench.page
      .getByRole('tab', { name: /^Plan the bookshop/ })
      .first()
      .waitFor();
    await journey.page.ready();
  });
});
