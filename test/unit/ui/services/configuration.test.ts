import { workspace } from '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { Configuration } from '../../../../src/ui/services/configuration';

const changes = { affectsConfiguration: (section: string) => section === 'agentLogs' };

describe('the settings', () => {
  beforeEach(() => workspace.settings.clear());

  it('read agents once, until the settings, the folders or the trust change', () => {
    workspace.settings.set('agents', { A: { command: 'a' } });
    const configuration = new Configuration();
    const before = configuration.agents;
    assert.deepEqual([before.agents.length, before.agents[0]?.name], [1, 'A']);
    const { readings } = workspace;
    assert.equal(configuration.agents, before);
    assert.equal(workspace.readings, readings);
    const { changed, foldersChanged, trusted } = workspace;
    for (const change of [() => changed.fire(changes), () => foldersChanged.fire(), () => trusted.fire()]) {
      const known = configuration.agents;
      change();
      assert.notEqual(configuration.agents, known);
    }
    configuration.dispose();
  });

  it('are the defaults of the manifest if they are of another type, and within its limits', () => {
    const configuration = new Configuration();
    for (const [value, seconds] of new Map<unknown, number>([
      ['soon', 60],
      [0, 1],
      [7, 7],
      [1e9, 86_400],
    ])) {
      workspace.settings.set('initializeTimeout', value);
      workspace.changed.fire(changes);
      assert.equal(configuration.initializeTimeout, seconds * 1000);
    }
    for (const [value, shows] of [
      ['no', [true, false]],
      [false, [false, false]],
      [true, [true, true]],
    ] as const) {
      for (const name of ['activity.show', 'wire.show']) workspace.settings.set(name, value);
      workspace.changed.fire(changes);
      assert.deepEqual([configuration.showsActivity, configuration.showsWire], shows);
    }
    configuration.dispose();
  });
});
