import assert from 'node:assert/strict';
import type { Threshold } from '../../../../src/text/level';
import type { AgentDefinition } from '../../../../src/live/config/launchSpec';
import { LevelMemory } from '../../../../src/ui/services/level/levelMemory';

class State {
  readonly values = new Map<string, unknown>();
  keys = (): string[] => [...this.values.keys()];
  get = (key: string): never => this.values.get(key) as never;
  update = (key: string, value: unknown): Promise<void> => Promise.resolve(void this.values.set(key, value));
}

function agent(level?: Threshold): AgentDefinition {
  return { name: 'A', protocol: 'acp', command: 'a', args: [], env: {}, ...(level !== undefined && { level }) };
}

describe('level memory', () => {
  it("starts from the setting, preferring the agent's own", () => {
    const memory = new LevelMemory(new State(), { level: 'info' });
    assert.equal(memory.levelOf(agent()), 'info');
    assert.equal(memory.levelOf(agent('error')), 'error');
  });

  it('remembers the chosen level of each agent across reloads, but prefers a setting that was changed later', async () => {
    const state = new State();
    await new LevelMemory(state, { level: 'info' }).choose(agent(), 'debug');
    const reloaded = new LevelMemory(state, { level: 'info' });
    assert.equal(reloaded.levelOf(agent()), 'debug');
    assert.equal(reloaded.levelOf({ ...agent(), name: 'B' }), 'info');
    assert.equal(new LevelMemory(state, { level: 'warning' }).levelOf(agent()), 'warning');
  });

  it("ignores a stored state that it can't read", () => {
    const state = new State();
    for (const value of [7, { A: 'debug' }, { A: { level: 'loud', instead: 'info' } }]) {
      state.values.set('levels', value);
      assert.equal(new LevelMemory(state, { level: 'info' }).levelOf(agent()), 'info');
    }
  });
});
