// Installs real agents from npm into `.agents/` and runs each of them with the extension's core: `npm run test:agents`, or `npm run test:agents -- -g codex`
// for those with this word in their name. An agent that can't be installed fails.
//   AGENT_LOGS_ALLOW_MISSING=1     skips it instead, and prints why
//   AGENT_LOGS_RECORD=DIR          also writes each run's log to DIR
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { exitOnSignals } from '../support/exitOnSignals';
import { messageOf } from '../../src/text/humanError';
import { ProcessReaper } from '../../src/live/process/processReaper';
import { agents } from './catalogue';
import type { Installed } from './install';
import { Installer } from './install';
import { record } from './recording';
import { failures, printResults } from './report';
import type { ScenarioResult, Stage } from './runScenario';
import { runScenario } from './runScenario';
import { Sandboxes } from './sandbox';
import { TapProgram } from './tapProgram';

const minutes = 60_000;
const { AGENT_LOGS_ALLOW_MISSING: allowMissing, AGENT_LOGS_RECORD: recordFolder } = process.env;

exitOnSignals();

describe('real agents', function () {
  this.timeout(10 * minutes);
  const installer = new Installer(join(__dirname, '../../.agents'));
  const sandboxes = new Sandboxes();
  const stage: Stage = {
    reaper: new ProcessReaper(),
    sandboxes,
    tap: new TapProgram(join(sandboxes.common, 'cli.js')),
    record: (name, trial) => recordFolder !== undefined && record(recordFolder, name, trial),
  };
  const results: ScenarioResult[] = [];

  after(() => printResults(results));

  for (const agent of agents) {
    describe(`${agent.name}: ${agent.package}@${agent.version}`, () => {
      let installed: Installed;

      before('install', async function () {
        // npm itself gives up before.
        this.timeout(25 * minutes);
        try {
          installed = await installer.install(agent);
        } catch (error) {
          const reason = `${agent.package} could not be installed: ${messageOf(error)}`;
          if (allowMissing !== '1') throw new Error(reason, { cause: error });
          console.log(`      not run: ${reason}`);
          this.skip();
        }
      });

      for (const scenario of agent.scenarios) {
        if (scenario.unable !== undefined) {
          it.skip(`${scenario.name} (not run: ${scenario.unable})`);
          continue;
        }
        it(scenario.name, async () => {
          const result = await runScenario(agent, installed, scenario, stage);
          results.push(result);
          assert.deepEqual(failures(result), []);
        });
      }
    });
  }
});
