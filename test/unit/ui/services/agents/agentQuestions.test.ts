import { workspace } from '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { AgentQuestions } from '../../../../../src/ui/services/agents/agentQuestions';
import { Configuration } from '../../../../../src/ui/services/configuration';
import { quickPicks } from '../../../../support/fakeQuickPick';

describe('agentLogs.permissions', () => {
  it('rejects without asking', async () => {
    workspace.settings.set('permissions', 'reject');
    const configuration = new Configuration();
    const asked = quickPicks.length;
    const ask = new AgentQuestions(configuration).askPermission('Agent');
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
    assert.equal(await ask({} as Parameters<typeof ask>[0], token), undefined);
    assert.equal(quickPicks.length, asked);
    configuration.dispose();
    workspace.settings.clear();
  });
});
