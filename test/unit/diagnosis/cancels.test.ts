import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

/** A run whose prompt is cancelled. */
const cancelled = (): DiagnosedWire => DiagnosedWire.withSession().prompt().cancel();

describe('diagnosis: cancels', () => {
  it('reports a turn that ends otherwise, unless answer and cancel may have crossed', () => {
    const late = DiagnosedWire.withSession().prompt().chunk('x').cancel().wait(500);
    assert.deepEqual(late.end().codes, ['cancel-ignored notice']);
    assert.deepEqual(cancelled().end().codes, ['cancel-ignored notice']);
    const crossed = DiagnosedWire.withSession().prompt().chunk('All done.').cancel();
    assert.deepEqual(crossed.end().codes, []);
  });

  it('says cancelled in the record, the row and Turns, whatever stop reason the agent gives', () => {
    const first = (): DiagnosedWire => DiagnosedWire.withSession().prompt().chunk('Well,').cancel().wait(500);
    const second = DiagnosedWire.withSession({}, { protocolVersion: 2 }).prompt();
    second.update({ sessionUpdate: 'state_update', state: 'running' }).answer({});
    second.chunk('Well,').cancel().wait(500);
    for (const wire of [
      first().end(),
      first().answer({ stopReason: 'refusal' }),
      first().answer({}),
      second.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }),
    ]) {
      const ended = wire.log.store.query().findLast(({ logger }) => logger === 'turn');
      assert.match(
        ended?.message ?? '',
        /^ended after \d+ ms: cancelled \(the agent says (?:end_turn|refusal|no stop reason)\)$/,
      );
      assert.equal(ended?.level, 'info');
      assert.equal(wire.log.spans({ kinds: ['turn'] })[0]?.outcome, 'cancelled');
      assert.match(wire.summary('session-1'), /^turn cancelled after/);
      assert.deepEqual(wire.about('cancel'), ['cancel-ignored notice']);
    }
  });

  it('warns if the agent works on after the cancel, or ends much later', () => {
    const late = (): DiagnosedWire => cancelled().wait(4000);
    for (const wire of [late().chunk('And then'), late().call('make', 'in_progress'), late().wait(16_000)]) {
      assert.deepEqual(wire.end().codes, ['cancel-ignored warning']);
    }
    // A call that ends, or a word that was under way, is no work.
    const stopped = DiagnosedWire.withSession().prompt().call('make', 'in_progress').cancel().chunk('.');
    stopped.wait(4000).called('failed').end();
    assert.deepEqual(stopped.codes, ['cancel-ignored notice']);
  });

  it('does not apply a cancel to a prompt that follows it', () => {
    const wire = DiagnosedWire.withSession().prompt().chunk('x').cancel().prompt('Do this.');
    wire.says({ id: 3, result: { stopReason: 'cancelled' } });
    assert.match(wire.summary('session-1'), /^waiting for the model/);
    wire.wait(30_000).chunk('Done.').end();
    assert.deepEqual(wire.said, []);
    assert.match(wire.summary('session-1'), /^turn ended after 30 s/);
  });

  it('accepts a turn that was cancelled in another way', () => {
    const closed = DiagnosedWire.withSession().prompt().ask('session/close', { sessionId: 'session-1' }, {});
    closed.says({ id: 3, result: { stopReason: 'cancelled' } });
    assert.deepEqual(closed.said, []);
    assert.match(closed.summary('session-1'), /turn cancelled/);
  });

  it('reports an empty turn that was not cancelled', () => {
    const swallowed = DiagnosedWire.withSession().prompt().answer({ stopReason: 'cancelled' });
    assert.deepEqual(swallowed.codes, ['empty-turn warning']);
    const ask = { sessionId: 'session-1', toolCall: { toolCallId: '1' }, options: [] };
    const asked = DiagnosedWire.withSession()
      .prompt()
      .asks(9, 'session/request_permission', ask)
      .reply(9, { outcome: { outcome: 'cancelled' } })
      .answer({ stopReason: 'cancelled' });
    assert.deepEqual(asked.said, []);
  });

  it('reports progress after notifications/cancelled, and expects no answer', () => {
    const progress = { method: 'notifications/progress', params: { progressToken: 't', progress: 1 } };
    const wire = new DiagnosedWire('mcp')
      .ask('tools/call', { name: 'x', _meta: { progressToken: 't' } })
      .says(progress)
      .tell('notifications/cancelled', { requestId: 1 })
      .says(progress);
    assert.deepEqual(wire.codes, []);
    wire.wait(1000).says(progress);
    assert.deepEqual(wire.codes, ['cancel-ignored warning']);
    assert.deepEqual(wire.quiet(1e7).codes, ['cancel-ignored warning']);
  });

  it('does not apply the cancel of an answered request to a later one with the same ID', () => {
    const wire = new DiagnosedWire('mcp').ask('tools/call', { name: 'x' });
    wire.says({ id: 1, method: 'roots/list' }).reply(1, { roots: [] });
    wire.says({ method: 'notifications/cancelled', params: { requestId: 1 } });
    assert.match(wire.quiet(301_000).first, /unanswered-request: `tools\/call`/);
  });
});
