import * as assert from 'node:assert/strict';
import { agentLogs, configureAgents, endAll, fake, recordOf } from './support';

describe('A language server that is an agent', () => {
  before(agentLogs);

  afterEach(endAll);

  after(() => configureAgents({}));

  it('is started, logs, takes a level, and ends as its protocol wants', async () => {
    await configureAgents({ 'Language Server': { ...fake('lsp-server'), protocol: 'lsp' } });
    const run = await (await agentLogs()).start('Language Server');
    assert.equal(run.protocol, 'lsp');
    await recordOf(run, ({ kind }) => kind === 'log' || kind === 'notice');
    assert.equal((await run.setLevel('debug')).agent, 'applied');
    await assert.rejects(run.newSession(), /no sessions/);
    const termination = await run.stop();
    assert.deepEqual([termination.terminatedBy, termination.exitCode], ['client', 0]);
  });
});
