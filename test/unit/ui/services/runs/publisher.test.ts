import { outputChannels } from '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { Run as PublicRun } from '../../../../../api/agent-logs';
import { Emitter } from '../../../../../src/text/emitter';
import { RecordStore } from '../../../../../src/store/store';
import type { Run } from '../../../../../src/live/run';
import { RunLog } from '../../../../../src/runLog/runLog';
import { Runs } from '../../../../../src/runs/runs';
import type { Configuration } from '../../../../../src/ui/services/configuration';
import { OutputChannels } from '../../../../../src/ui/services/output/outputChannels';
import { RunPublisher } from '../../../../../src/ui/services/runs/publisher';
import type { NewRun, RunFactory } from '../../../../../src/ui/services/runs/runFactory';

/** A run without an agent. */
function runOf(name: string, isPublished: boolean): Run & { end(): void } {
  const { event } = new Emitter<unknown>();
  const run = {
    ...{ name, isPublished, definition: {}, state: { type: 'running' }, onEvent: event, onDidChangeState: event },
    log: new RunLog(new RecordStore(1e6), 0),
    start: () => Promise.resolve(),
    end: () => (run.state = { type: 'ended' }),
  };
  return run as unknown as Run & { end(): void };
}

describe('publish()', () => {
  let runs: Runs;
  let warnings: string[];
  let publish: (name: string) => { end(): void };

  beforeEach(() => {
    outputChannels.length = 0;
    warnings = [];
    runs = new Runs();
    const configuration = {} as unknown as Configuration;
    const create = ({ agent }: NewRun): Run => {
      const run = runOf(agent.name, true);
      runs.add(run);
      return run;
    };
    new OutputChannels(runs, configuration);
    const log = { warn: (message: string) => warnings.push(message) };
    const publisher = new RunPublisher(runs, configuration, { create } as unknown as RunFactory, log);
    const toPublic = (run: unknown): PublicRun => run as PublicRun;
    publish = (name) => publisher.publish({ name, protocol: 'acp' }, toPublic).run as unknown as { end(): void };
  });

  it('keeps 50 names with their channels, and says once that it removes the oldest', () => {
    runs.add(runOf('Of the settings', false));
    const live = publish('live');
    for (let index = 1; index < 50; index++) publish(`agent ${index}`).end();
    assert.deepEqual(warnings, []);
    for (let index = 50; index < 1000; index++) publish(`agent ${index}`).end();
    assert.deepEqual([runs.all.length, outputChannels.length], [51, 51]);
    assert.deepEqual(outputChannels.slice(0, 3), ['Of the settings', 'live', 'agent 951']);
    assert.match(warnings.join('\n'), /^Another extension has published runs under more than 50 names: [^\n]*$/);
    live.end();
    publish('agent 1000');
    assert.ok(!outputChannels.includes('live'));
  });

  it('refuses a name while 50 others have a live run, but not another run of one of them', () => {
    const [first] = Array.from({ length: 50 }, (_, index) => publish(`agent ${index}`));
    assert.throws(() => publish('one more'), /publish\(\) takes 50 names at a time: call end\(\)/);
    publish('agent 7');
    first?.end();
    publish('one more');
    assert.equal(new Set(outputChannels).size, 50);
  });

  it('refuses a run while 100 are live, also of the same name', () => {
    const [first] = Array.from({ length: 100 }, () => publish('agent'));
    assert.throws(() => publish('agent'), /publish\(\) takes 100 live runs at a time: call end\(\)/);
    first?.end();
    publish('agent');
  });
});
