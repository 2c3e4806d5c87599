import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('the problems of a run', () => {
  const failing = { sessionUpdate: 'tool_call', toolCallId: '1', title: 'npm test', status: 'failed' };

  it('are diagnoses from warning up, and are found in both directions, wrapping around', () => {
    const wire = DiagnosedWire.withSession();
    for (const text of ['One', 'Two']) wire.prompt().chunk(text).refuse(-32603, `${text} failed`);
    const { problems } = wire.log;
    const [first = assert.fail(), second = assert.fail()] = problems.all;
    assert.equal(problems.size, 2);
    assert.deepEqual([first.code, first.level, first.sessionId], ['failed-turn', 'error', 'session-1']);
    assert.deepEqual(problems.next(0, 1), { seq: first.seq, number: 1, total: 2 });
    assert.deepEqual(problems.next(first.seq, 1), { seq: second.seq, number: 2, total: 2 });
    assert.deepEqual(problems.next(second.seq, 1), { seq: first.seq, number: 1, total: 2 });
    assert.deepEqual(problems.next(first.seq, -1), { seq: second.seq, number: 2, total: 2 });
    assert.deepEqual([problems.numberOf(second.seq), problems.numberOf(1)], [2, 0]);
    wire.log.clear();
    assert.equal(problems.next(0, 1), undefined);
  });

  it('are where a click on a session leads, unless its last turn went well', () => {
    const wire = DiagnosedWire.withSession().prompt().update(failing).answer({ stopReason: 'end_turn' });
    const [problem = assert.fail()] = wire.log.problems.all;
    assert.equal(wire.log.problemOf('session-1'), problem.seq);
    assert.equal(wire.log.problemOf(), problem.seq);
    wire.prompt().chunk('Fine.').answer({ stopReason: 'end_turn' });
    assert.equal(wire.log.problemOf('session-1'), undefined);
    assert.equal(wire.log.problemOf(), undefined);
    assert.equal(wire.log.problems.size, 1);
  });
});
