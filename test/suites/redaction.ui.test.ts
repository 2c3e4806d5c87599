import * as assert from 'node:assert/strict';
import { agentLogs, configureUser, execute, fake, inWindow, mistakes, recordOf } from './support';
import { poll } from './waiting';

const endless = '(a+)+$';

describe("In the window: the user's redaction patterns", () => {
  const workbench = inWindow({ Hostile: fake('asksPermission', `${'a'.repeat(40)}! ACME-17`) });

  before(() => configureUser('redaction.patterns', ['ACME-\\d+', endless]));

  after(() => configureUser('redaction.patterns', undefined));

  it('disable a slow pattern with a warning and a mark in the settings, and keep the others', async () => {
    assert.deepEqual(mistakes(), []);
    const run = await (await agentLogs()).start('Hostile');
    const turn = run.prompt(await run.newSession(), 'go');
    const asked = await recordOf(run, ({ message }) => message.startsWith('asked for: '));
    assert.doesNotMatch(JSON.stringify(asked), /ACME-17/);
    await workbench.offered('Allow');
    await workbench.page.keyboard.press('Escape');
    await turn;
    await workbench.notified('agentLogs.redaction.patterns[1] took too long');
    // The button opens the file with the pattern, which isn't the user's in a remote window.
    await workbench.answerNotification('took too long', 'Open Setting');
    await poll(mistakes).until(({ length }) => length === 1);
    await workbench.screenshot('redaction-1-disabled');
  });

  it('enable it again when the setting changes', async () => {
    await execute('workbench.action.closeAllEditors');
    await configureUser('redaction.patterns', ['ACME-\\d+']);
    await poll(mistakes).until(({ length }) => length === 0);
  });
});
