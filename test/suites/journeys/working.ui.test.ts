import * as assert from 'node:assert/strict';
import type { Run } from '../../../api/agent-logs';
import { agentLogs, configureAgents, fake, recordOf, execute } from '../support';
import { poll } from '../waiting';
import { Journey } from './journey';

const server = 'Copy Server';

describe('A journey: working with an agent', () => {
  const journey = Journey.ofSuite('8-work');
  const { page, workbench } = journey;
  let run: Run;

  it('says what can be cancelled if only an MCP server runs', async () => {
    await configureAgents({ [server]: { ...fake('mcp-form'), protocol: 'mcp' } });
    const copier = await (await agentLogs()).start(server);
    copier.callTool('copy', { files: 3 }).catch(() => undefined);
    await poll(() => copier.requests).until((requests) => requests.some(({ progress }) => progress !== undefined));
    await execute('agentLogs.cancel');
    const none = 'No turn is running. To cancel a request of a server, use the button in its row.';
    await workbench.notified(journey.t(none));
    await journey.picture('nothing-to-cancel');
    await execute('notifications.clearAll');
  });

  it("offers an agent's commands for a prompt", async () => {
    await execute('workbench.action.closeAllEditors');
    await execute('agentLogs.startSampleAgent');
    run = (await agentLogs()).runs.find(({ name }) => name !== server)!;
    await recordOf(run, ({ message }) => message.includes('available:'));
    await recordOf(run, ({ logger, message }) => logger === 'turn' && message.startsWith('ended'));
    const prompting = execute('agentLogs.prompt', { runId: run.id, sessionId: run.sessions[0]!.id });
    prompting.then(undefined, () => undefined); // ends when the turn is cancelled
    await workbench.quickPickRowsUntil((rows) =>
      rows.some(({ label, detail, description }) => label === '/levels' && `${detail}${description}` !== ''),
    );
    await journey.picture('commands', 'window');
    await workbench.answer(journey.t('Send a prompt to {0}', run.name), '/hang');
    await recordOf(run, ({ message }) => message.includes('No answer from the model'));
  });

  it('cancels the turn', async () => {
    await journey.picture('working', 'tree');
    await journey.clickAction(run.sessions[0]!.title ?? '', 'Cancel Turn');
    await recordOf(run, ({ message }) => /cancelled/.test(message));
  });

  it('offers the agent of the open explorer first for a level, and says what a level hides', async () => {
    await page.open(run.id);
    const picked = execute('agentLogs.setLevel');
    const rows = await workbench.quickPickRowsUntil(([first]) => first !== undefined);
    assert.equal(rows[0]?.label.trim(), run.name);
    await journey.picture('agents');
    await workbench.page.keyboard.press('Enter');
    await workbench.offered('emergency');
    await journey.picture('levels');
    await workbench.page.keyboard.press('Escape');
    await picked;
  });
});
