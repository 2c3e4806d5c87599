import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LogRecord, Run } from '../../api/agent-logs';
import { agentLogs, configureUser, endAll, execute, fake, inWindow, mistakes, recordOf } from './support';
import { poll } from './waiting';

const isAlert = ({ kind, logger }: LogRecord): boolean => kind === 'diagnosis' && logger === 'alert';

describe("In the window: the user's alerts", () => {
  const workbench = inWindow({ Asker: fake('asksPermission') });

  afterEach(async () => {
    await endAll();
    await configureUser('alerts', undefined);
    await execute('notifications.clearAll');
  });

  async function asked(): Promise<Run> {
    const run = await (await agentLogs()).start('Asker');
    const turn = run.prompt(await run.newSession(), 'go');
    await recordOf(run, ({ message }) => message.startsWith('asked for: '));
    await workbench.offered('Allow');
    await workbench.page.keyboard.press('Escape');
    await turn;
    return run;
  }

  it('record a match as a problem, and show it in the explorer', async () => {
    await configureUser('alerts', [
      { when: 'kind:activity "Delete build"', message: 'Asked to delete files', notify: true },
    ]);
    const run = await asked();
    const alert = await recordOf(run, isAlert);
    assert.equal(alert.message, 'Asked to delete files.');
    assert.equal(alert.level, 'warning');
    await workbench.notified('Asker: Asked to delete files');
    await workbench.screenshot('alerts-1-notification');
    await workbench.answerNotification('Asked to delete files', 'Show');
    const problem = workbench.webview().locator('article.problem');
    await problem.waitFor();
    const text = (await problem.textContent()) ?? '';
    assert.match(text, /Asked to delete files/);
    assert.match(text, /matches one of your alerts/);
    const link = workbench.webview().locator('.evidence button, .evidence a').first();
    await link.waitFor();
    assert.match((await link.textContent()) ?? '', /Delete build/);
  });

  it('show no notification once it is muted, or if none was asked for', async () => {
    await configureUser('alerts', [
      { when: 'kind:activity "Delete build"', notify: true },
      { when: 'logger:turn', message: 'Silent' },
    ]);
    await asked();
    await workbench.notified('Delete build/ (Allow');
    await workbench.answerNotification('Delete build/ (Allow', 'Mute');
    // Each alert reports once a minute, so another entry makes it start over; it stays muted.
    await configureUser('alerts', [{ when: 'kind:activity "Delete build"', notify: true }]);
    await recordOf(await asked(), isAlert);
    assert.ok(!(await workbench.notifications()).some((text) => text.startsWith('Asker: ')));
  });

  it('are underlined in the settings if they are wrong', async () => {
    await configureUser('alerts', [{ when: 'lvl:error', notify: true }, { when: { costPerTurns: 2 } }]);
    const [message] = (await workbench.notified('agentLogs.alerts[')).filter((text) =>
      text.includes('agentLogs.alerts['),
    );
    assert.match(message ?? '', /agentLogs\.alerts\[0\]: ‘lvl:’ isn’t a known key/);
    await workbench.answerNotification('agentLogs.alerts[0]', 'Open Setting');
    const marks = await poll(mistakes).until(({ length }) => length === 2);
    const texts = marks.map(({ range }) => vscode.window.activeTextEditor?.document.getText(range));
    assert.deepEqual(texts, ['lvl:error', '2']);
    await workbench.screenshot('alerts-3-mistakes');
  });
});
