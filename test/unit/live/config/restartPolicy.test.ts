import assert from 'node:assert/strict';
import { RestartPolicy } from '../../../../src/live/config/restartPolicy';

describe('restart policy', () => {
  it('restarts with increasing delays, and gives up rather than loop', () => {
    let now = 0;
    const policy = new RestartPolicy(() => (now += 1000));
    const decisions = Array.from({ length: 5 }, () => policy.decide('A', 'acp'));
    const delays = decisions.map((decision) => (decision.type === 'restart' ? decision.after : decision.type));
    assert.deepEqual(delays, [1000, 2000, 4000, 8000, 'give-up']);
    assert.deepEqual(policy.decide('B', 'mcp'), { type: 'restart', after: 1000 });
  });

  it('forgets old crashes, and all of them when the user starts the agent', () => {
    let now = 0;
    const policy = new RestartPolicy(() => now);
    for (let i = 0; i < 5; i++) policy.decide('A', 'acp');
    now += 3 * 60_000;
    assert.deepEqual(policy.decide('A', 'acp'), { type: 'restart', after: 1000 });
    for (let i = 0; i < 5; i++) policy.decide('A', 'acp');
    policy.forgive('A');
    assert.deepEqual(policy.decide('A', 'acp'), { type: 'restart', after: 1000 });
  });

  it('never restarts a command that runs once', () => {
    const policy = new RestartPolicy(() => 0);
    assert.deepEqual(policy.decide('A', 'stream-json'), { type: 'one-shot' });
    assert.deepEqual(policy.decide('A', 'lsp'), { type: 'restart', after: 1000 });
  });

  it('handles clock jumps', () => {
    let now = 1e12;
    const policy = new RestartPolicy(() => now);
    for (let i = 0; i < 4; i++) policy.decide('A', 'acp');
    now -= 1e11;
    assert.deepEqual(policy.decide('A', 'acp'), { type: 'restart', after: 1000 });
  });
});
