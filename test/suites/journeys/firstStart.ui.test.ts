import * as assert from 'node:assert/strict';
import { walkthroughPictures } from '../../support/readmePictures';
import { configureAgents, fake, execute } from '../support';
import { poll } from '../waiting';
import { Journey } from './journey';

describe('A journey: the first start', () => {
  const journey = Journey.ofSuite('1-first');
  const { page, workbench } = journey;

  it('from an empty window through four steps, each with its picture', async () => {
    await journey.picture('empty', 'tree');
    await execute('workbench.action.openWalkthrough', 'agent-logs.agent-logs#start');
    const steps = workbench.page.locator('.getting-started-step .step-title');
    await steps.first().waitFor();
    const count = await steps.count();
    assert.equal(count, 4);
    for (let step = 0; step < count; step++) {
      await steps.nth(step).click();
      const picture = workbench.page.locator(`.getting-started-media img[srcset*="${walkthroughPictures[step]}.webp"]`);
      await picture.waitFor();
      assert.notEqual(await picture.getAttribute('alt'), '');
      await journey.picture(`step-${step + 1}`);
    }
    await steps.first().click();
  });

  it('starts the sample agent, and follows what it does', async () => {
    const step = workbench.page.locator('.getting-started-step');
    await step.getByRole('button', { name: journey.t('Start Sample Agent') }).click();
    await page.ready();
    const follow = page.button(journey.t('Follow'));
    await poll(() => follow.getAttribute('aria-pressed')).until((pressed) => pressed === 'true');
    await page.total((total) => total > 20);
    await journey.explorerPicture('following');
  });

  it('lists an agent before its first start, and needs two clicks to say why it crashed', async () => {
    await execute('workbench.action.closeAllEditors');
    await configureAgents({ Crashes: fake('crashesAtOnce') });
    await workbench.row(({ label, description }) => label === 'Crashes' && description === journey.t('not started'));
    await journey.picture('not-started', 'tree');
    await journey.clickAction('Crashes', 'Start Agent…');
    const row = await workbench.row(
      ({ label, description }) => label === 'Crashes' && description.startsWith(journey.t('exit {0}', 3)),
    );
    assert.match(`${row.label} ${row.description}`.slice(0, 32), /fatal: no/);
    await workbench.clickTreeRow('Crashes');
    await page.ready();
    await page.details.getByRole('heading', { name: journey.t('What happened') }).waitFor();
    await page.details.getByText('no configuration was found').first().waitFor();
    await journey.explorerPicture('why');
  });
});
