import assert from 'node:assert/strict';
import type { LogRecord } from '../../../src/text/record';
import { DiagnosedWire } from '../../support/diagnosedWire';

const update = (sessionId: string, fields: object): object => ({
  method: 'session/update',
  params: { sessionId, update: fields },
});
const announced = (fields: object = {}, parent = 'session-1'): object =>
  update(parent, { sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Writer', ...fields });
const found = (wire: DiagnosedWire): LogRecord[] => wire.log.store.query({ kinds: ['diagnosis'] });
const state = (name: string): object => ({ state: { state: name } });
const running = (): DiagnosedWire =>
  DiagnosedWire.withSession()
    .prompt()
    .says(announced(state('running')));

describe('diagnosis: subagents', () => {
  it('reports a question that never reaches the client', () => {
    const wire = running();
    wire.says(announced(state('requires_action'))).quiet(6000);
    assert.deepEqual(wire.codes, ['silence warning']);
    assert.match(found(wire)[0]?.message ?? '', /its question never reached the client/);
    assert.equal(found(wire)[0]?.sessionId, 'child');
  });

  it('reports only the wait while the user is asked', () => {
    const wire = running();
    wire.says(announced(state('requires_action')));
    const params = { sessionId: 'child', toolCall: { toolCallId: 't' }, options: [] };
    wire.asks(70, 'session/request_permission', params).quiet(600_000);
    assert.deepEqual(wire.codes, ['waiting-for-user notice']);
  });

  it('reports the silence of a subagent once, and not that of its parent', () => {
    const sessions = found(running().quiet(90_000)).map(({ sessionId }) => sessionId);
    assert.deepEqual(sessions, ['child']);
  });

  it('reports a failed subagent, although version 1 informs only its parent', () => {
    const error = { code: -32603, message: 'mock 400' };
    const wire = running();
    wire.says(announced({ state: { state: 'idle', stopReason: 'error', error } }));
    assert.deepEqual(found(wire), [], 'another may replace it');
    wire.chunk('It failed.').end().quiet(130_000);
    const said = found(wire).map(({ sessionId, logger, level }) => `${sessionId} ${logger} ${level}`);
    assert.deepEqual(said, ['child failed-turn error']);
  });

  it('reports sessions that are announced incorrectly', () => {
    const wire = DiagnosedWire.withSession().prompt().says(announced());
    wire.says(announced({}, 'child'));
    wire.says(update('child', { sessionUpdate: 'subagent_update', sessionId: 'session-1' }));
    assert.deepEqual(wire.codes, ['protocol-violation warning', 'protocol-violation warning']);
  });

  it('reports too many subagents a few times at most', () => {
    const wire = DiagnosedWire.withSession().prompt();
    for (let i = 0; i < 3000; i++) wire.says(announced({ sessionId: `child-${i}` }));
    wire.quiet(1);
    assert.deepEqual(new Set(wire.codes), new Set(['protocol-violation notice']));
    assert.ok(wire.codes.length <= 5, String(wire.codes.length));
  });

  it('reports a subagent that was abandoned after silence, although the agent announces none', () => {
    const wire = DiagnosedWire.withSession().prompt();
    wire.call('Count files', 'in_progress', { rawInput: { subagent_type: 'x' } });
    wire.wait(19_000).cancel().answer({ stopReason: 'cancelled' });
    assert.match(found(wire)[0]?.message ?? '', /^Subagent `Count files` reported nothing for 19 s/);
  });

  it('reports a version switch in the middle', () => {
    const wire = DiagnosedWire.withSession().update({ sessionUpdate: 'state_update', state: 'running' });
    assert.match(found(wire)[0]?.message ?? '', /Switched protocol version: `state_update` is version 2/);
  });
});
