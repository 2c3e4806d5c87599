import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../../support/diagnosedWire';

describe('diagnosis: silence', () => {
  it('tells of a request that nobody answers, again each time it took twice as long', () => {
    const wire = new DiagnosedWire().ask('initialize', {});
    assert.equal(wire.diagnoser.isWaiting, true);
    assert.deepEqual(wire.quiet(29_000).codes, []);
    assert.match(
      wire.quiet(2000).said[0] ?? '',
      /^warning \[\] unanswered-request: initialize has not been answered for 30 s/,
    );
    wire.quiet(100_000).answer({ protocolVersion: 1 }).quiet(1e6);
    assert.deepEqual(
      wire.data.map(({ count }) => count),
      [1, 3],
    );
    assert.equal(wire.diagnoser.isWaiting, false);
  });

  it('does not take a clock that is set back for silence', () => {
    const wire = new DiagnosedWire().accept({ t: 3_600_000, dir: 'err', line: 'hello' });
    const at = (t: number, dir: 'c2a' | 'a2c', msg: object): void => {
      wire.accept({ t, dir, line: JSON.stringify(msg), msg: { jsonrpc: '2.0', ...msg } });
    };
    at(1000, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } });
    wire.accept({ t: 1050, dir: 'err', line: 'working' });
    at(1100, 'a2c', { id: 1, result: { sessionId: 's' } });
    assert.deepEqual(wire.codes, []);
  });

  it('tells of a turn in which nothing comes', () => {
    const wire = DiagnosedWire.withSession().prompt().quiet(50_000).chunk('Still here.').quiet(50_000);
    assert.deepEqual(wire.codes, []);
    assert.match(
      wire.quiet(20_000).said[0] ?? '',
      /^warning \[session-1\] silence: nothing has come in this turn for 1 min 0 s/,
    );
  });

  it('gives a tool more time, and a person all of it', () => {
    const tool = { sessionUpdate: 'tool_call', toolCallId: '1', title: 'make', status: 'in_progress' };
    const wire = DiagnosedWire.withSession().prompt().update(tool).quiet(200_000);
    assert.deepEqual(wire.codes, []);
    wire.says({
      id: 1,
      method: 'session/request_permission',
      params: { sessionId: 'session-1', toolCall: {}, options: [] },
    });
    assert.deepEqual(wire.quiet(1e8).codes, []);
    assert.equal(wire.diagnoser.isWaiting, false);
    wire.send('c2a', { jsonrpc: '2.0', id: 1, result: { outcome: { outcome: 'cancelled' } } });
    assert.deepEqual(wire.quiet(310_000).codes, ['silence warning']);
  });

  it('waits no longer when the agent has ended', () => {
    const wire = DiagnosedWire.withSession().prompt().ask('session/list', {});
    wire.process({ ev: 'exit', code: 1, signal: null });
    assert.equal(wire.diagnoser.isWaiting, false);
  });

  it('says the same of a journal as it said live', () => {
    const start = (): DiagnosedWire => DiagnosedWire.withSession().prompt();
    const live = start().quiet(30_000).quiet(31_000).quiet(70_000).chunk('x').answer({ stopReason: 'end_turn' });
    const replayed = start().wait(131_000).chunk('x').answer({ stopReason: 'end_turn' });
    assert.equal(live.codes.length, 2);
    assert.deepEqual(replayed.log.store.query(), live.log.store.query());
  });
});
