import assert from 'node:assert/strict';
import { AcpWire } from '../../support/acpWire';

/** A run with a prompt, and the tool calls of its turn. */
class Turn extends AcpWire {
  static running(): Turn {
    return new Turn().prompt(1);
  }

  call(toolCallId: string, title: string, status?: string, sessionId?: string): this {
    return this.update({ sessionUpdate: 'tool_call', toolCallId, title, status }, sessionId);
  }

  becomes(toolCallId: string, status?: string, more: object = {}): this {
    return this.update({ sessionUpdate: 'tool_call_update', toolCallId, status, ...more });
  }

  get progress() {
    return this.log.requests[0]?.progress;
  }
}

describe('ACP interpreter: turn progress', () => {
  it('is the title of the running tool call, and empty once it ends', () => {
    const turn = Turn.running();
    assert.equal(turn.progress, undefined);
    assert.deepEqual(turn.call('a', 'Read', 'pending').progress, { progress: 0, message: 'Read' });
    assert.deepEqual(turn.becomes('a', 'in_progress').progress, { progress: 0, message: 'Read' });
    assert.deepEqual(turn.becomes('a', 'completed').progress, { progress: 1 });
  });

  it('is the tool call that started last, if there are several', () => {
    const turn = Turn.running().call('a', 'A').call('b', 'B', 'in_progress');
    assert.deepEqual(turn.progress, { progress: 0, message: 'B' });
    assert.deepEqual(turn.becomes('b', 'failed').progress, { progress: 1, message: 'A' });
    assert.deepEqual(turn.call('c', 'C', 'completed').progress, { progress: 2, message: 'A' });
  });

  it('follows changes of the title', () => {
    const turn = Turn.running().call('a', 'Run', 'pending').becomes('a', 'in_progress', { title: 'Run npm test' });
    assert.deepEqual(turn.progress, { progress: 0, message: 'Run npm test' });
  });

  it('ends with the turn, and belongs to its session', () => {
    const turn = Turn.running().call('a', 'A').call('x', 'X', undefined, 'session-2');
    turn.answer(1, { stopReason: 'cancelled' }).prompt(2);
    assert.equal(turn.progress, undefined);
    assert.equal(turn.becomes('a', 'completed').progress, undefined);
    assert.deepEqual(turn.open, [2]);
  });

  it('belongs to the oldest prompt of a session, because later ones wait', () => {
    const turn = Turn.running().prompt(2).call('a', 'A');
    assert.deepEqual([turn.open, turn.progress?.message, turn.log.requests[1]?.progress], [[1, 2], 'A', undefined]);
    turn.becomes('a', 'completed').answer(1, { stopReason: 'end_turn' }).call('b', 'B');
    assert.deepEqual([turn.open, turn.progress?.message], [[2], 'B']);
  });

  it('reports nothing if nothing has changed', () => {
    const turn = Turn.running().call('a', 'A', 'pending');
    const [before] = turn.log.requests;
    turn.becomes('a', 'in_progress').becomes('a');
    assert.equal(turn.log.requests[0], before);
  });
});
