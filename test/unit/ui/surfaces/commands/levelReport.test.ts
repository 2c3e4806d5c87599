import { shownInformation } from '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import { Runs } from '../../../../../src/runs/runs';
import { reportLevelChange } from '../../../../../src/ui/surfaces/commands/levelReport';

describe('the report of a change of level', () => {
  for (const [protocol, name] of Object.entries({
    acp: 'agent',
    'stream-json': 'agent',
    mcp: 'server',
    lsp: 'server',
  })) {
    it(`speaks of the ${name} (${protocol})`, async () => {
      const agent = agentDefinitions({ One: { command: 'one', protocol } }).agents[0] ?? assert.fail();
      const runs = Object.assign(new Runs(), { latestOf: () => ({ state: { type: 'running' } }) });
      for (const [answer, words] of [
        ['unsupported', "can't change its level."],
        ['failed', "didn't change its level."],
      ] as const) {
        const result = { shown: true, agent: answer, channel: true };
        await reportLevelChange({ agent, level: 'info', result }, runs);
        assert.ok(shownInformation.at(-1)?.startsWith(`The ${name} ${words}`), shownInformation.at(-1));
      }
    });
  }
});
