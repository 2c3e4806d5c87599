import * as assert from 'node:assert/strict';
import type { Run } from '../../../api/agent-logs';
import { agentLogs, configureAgents, fake, recordOf, execute } from '../support';
import { poll } from '../waiting';
import { Journey } from './journey';

const agent = 'Bookshop Agent';
const status = 'agentLogs.status';
const failing = 'Run the tests';
const solved = 'Fix the discount';

describe('A journey: a turn that failed', () => {
  const journey = Journey.ofSuite('3-turn');
  const { page, workbench } = journey;
  let run: Run;

  before(async () => {
    await configureAgents({ [agent]: fake('bookshop') });
    run = await (await agentLogs()).start(agent);
  });

  it('says nothing of trouble that was solved', async () => {
    await run.prompt(await run.newSession(), `${solved}.`);
    await recordOf(run, ({ kind, logger }) => kind === 'diagnosis' && logger === 'tool-failed');
    const row = await workbench.row(({ label, description }) => label === solved && !description.includes('npm test'));
    assert.doesNotMatch(row.description, /npm test|529|exit/i);
    await poll(() => workbench.statusBarItem(status).count()).until((count) => count === 0);
    assert.equal(await workbench.treeRow(solved).locator('.codicon-warning, .codicon-error').count(), 0);
    await journey.picture('solved', 'tree');
  });

  it('is one click away in the status bar', async () => {
    await run.prompt(await run.newSession(), `${failing}.`);
    await recordOf(run, ({ kind, logger }) => kind === 'diagnosis' && logger === 'failed-turn');
    await poll(() => workbench.statusBarText(status)).until((text) => text.startsWith(`${agent}: `));
    await journey.picture('told', 'tree');
    await execute('workbench.action.closeAllEditors');
    await workbench.statusBarItem(status).locator('a').first().click();
    await page.ready();
    await page.details.getByRole('heading', { name: journey.t('Turn failed') }).waitFor();
    await journey.explorerPicture('problem');
  });

  it('has its headline in Turns, and its records with the reason', async () => {
    await page.open(run.id, { query: '', tab: 'turns' });
    await page
      .locator('[role=treegrid] [role=row]')
      .filter({ hasText: `${failing}.` })
      .click();
    const details = page.locator('#panel-turns [role=region]');
    await details.getByRole('heading', { name: journey.t('Turn failed') }).waitFor();
    assert.doesNotMatch(await details.innerText(), /[{}]/);
    await journey.explorerPicture('headline');
    await page.locator('#panel-turns .problem').getByRole('button').click();
    await page.details.getByRole('heading', { name: journey.t('What happened') }).waitFor();
    await page.details.getByText('429').first().waitFor();
  });
});
