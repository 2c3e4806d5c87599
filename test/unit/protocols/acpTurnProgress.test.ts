import assert from 'node:assert/strict';
import type { RequestProgress } from '../../../src/work/requests';
import { AcpWire } from '../../support/acpWire';

function turn(): AcpWire {
  return new AcpWire().ask(1, 'session/prompt', { sessionId: 'session-1', prompt: [{ type: 'text', text: 'Hi' }] });
}

function progressOf(wire: AcpWire): RequestProgress | undefined {
  return wire.log.requests[0]?.progress;
}

const call = (toolCallId: string, title: string, status?: string): Record<string, unknown> => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title,
  ...(status !== undefined && { status }),
});
const update = (toolCallId: string, status: string): Record<string, unknown> => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  status,
});

describe('ACP interpreter: turn progress', () => {
  it('is the title of the running tool call, and empty once it ends', () => {
    const wire = turn();
    assert.equal(progressOf(wire), undefined);
    wire.update(call('a', 'Read README.md', 'pending'));
    assert.deepEqual(progressOf(wire), { progress: 0, message: 'Read README.md' });
    wire.update(update('a', 'in_progress'));
    assert.deepEqual(progressOf(wire), { progress: 0, message: 'Read README.md' });
    wire.update(update('a', 'completed'));
    assert.deepEqual(progressOf(wire), { progress: 1 });
  });

  it('is the tool call that started last, if there are several', () => {
    const wire = turn()
      .update(call('a', 'A'))
      .update(call('b', 'B', 'in_progress'));
    assert.deepEqual(progressOf(wire), { progress: 0, message: 'B' });
    wire.update(update('b', 'failed'));
    assert.deepEqual(progressOf(wire), { progress: 1, message: 'A' });
    wire.update(call('c', 'C', 'completed'));
    assert.deepEqual(progressOf(wire), { progress: 2, message: 'A' });
  });

  it('follows changes of the title', () => {
    const wire = turn()
      .update(call('a', 'Run', 'pending'))
      .update({ ...update('a', 'in_progress'), title: 'Run npm test' });
    assert.deepEqual(progressOf(wire), { progress: 0, message: 'Run npm test' });
  });

  it('ends with the turn, and belongs to its session', () => {
    const wire = turn()
      .update(call('a', 'A'))
      .update(call('x', 'X'), 'session-2')
      .answer(1, { stopReason: 'cancelled' })
      .ask(2, 'session/prompt', { sessionId: 'session-1', prompt: [] });
    assert.equal(progressOf(wire), undefined);
    wire.update(update('a', 'completed'));
    assert.equal(progressOf(wire), undefined);
    assert.deepEqual(
      wire.log.requests.map(({ id }) => id),
      [2],
    );
  });

  it('belongs to the oldest prompt of a session, because later ones wait', () => {
    const wire = turn().ask(2, 'session/prompt', { sessionId: 'session-1', prompt: [] });
    const progress = (): unknown => wire.log.requests.map((request) => [request.id, request.progress?.message]);
    wire.update(call('a', 'A'));
    assert.deepEqual(progress(), [
      [1, 'A'],
      [2, undefined],
    ]);
    wire.update(update('a', 'completed')).answer(1, { stopReason: 'end_turn' });
    wire.update(call('b', 'B'));
    assert.deepEqual(progress(), [[2, 'B']]);
  });

  it('reports nothing if nothing has changed', () => {
    const wire = turn().update(call('a', 'A', 'pending'));
    const [before] = wire.log.requests;
    wire.update(update('a', 'in_progress')).update({ sessionUpdate: 'tool_call_update', toolCallId: 'a' });
    assert.equal(wire.log.requests[0], before);
  });
});
