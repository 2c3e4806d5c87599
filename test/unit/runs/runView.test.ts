import assert from 'node:assert/strict';
import type { RunView, RunViewState } from '../../../src/runs/runView';
import { mayHaveTurns } from '../../../src/runs/runView';
import { line, readLog } from '../../support/wireRows';

describe('a run', () => {
  const connecting = [line(0, 'c2a', { id: 1, method: 'initialize', params: { protocolVersion: 1 } })];
  const prompt = { sessionId: 's', prompt: [{ type: 'text', text: 'hi' }] };
  const prompting = [...connecting, line(5, 'c2a', { id: 2, method: 'session/prompt', params: prompt })];

  function runOf(state: RunViewState, events = connecting): RunView {
    return { state, log: readLog(events) } as unknown as RunView;
  }

  it('is offered for its turns if it has one, or if that is unknown', () => {
    const running = { type: 'running', agent: {} } as const;
    assert.equal(mayHaveTurns(runOf(running)), false);
    assert.equal(mayHaveTurns(runOf({ type: 'unread' })), true);
    assert.equal(mayHaveTurns(runOf(running, prompting)), true);
  });
});
