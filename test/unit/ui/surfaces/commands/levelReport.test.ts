import { shownInformation } from '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import { Runs } from '../../../../../src/runs/runs';
import { reportLevelChange } from '../../../../../src/ui/surfaces/commands/levelReport';

describe('the report of a change of level', () => {
  const names = { acp: 'agent', 'stream-json': 'agent', mcp: 'server', lsp: 'server' };
  for (const [protocol, name] of Object.entries(names)) {
    it(`speaks of the ${name} (${protocol})`, async () => {
      const agent = agentDefinitions({ One: { command: 'one', protocol } }).agents[0] ?? assert.fail();
      const runs = Object.assign(new Runs(), { latestOf: () => ({ state: { type: 'running' } }) });
      for (const [answer, verb] of Object.entries({ unsupported: "can't", failed: "didn't" } as const)) {
        const result = { shown: true, agent: answer as 'unsupported' | 'failed', channel: true };
        await reportLevelChange({ agent, level: 'info', result }, runs);
        assert.ok(
          shownInformation.at(-1)?.startsWith(`The ${name} ${verb} change its level.`),
          shownInformation.at(-1),
        );
      }
    });
  }
});
