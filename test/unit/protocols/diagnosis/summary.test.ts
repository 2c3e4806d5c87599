import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../../support/diagnosedWire';

describe('diagnosis: the line about a session', () => {
  it('follows a turn', () => {
    const wire = DiagnosedWire.withSession();
    const now = (): string => wire.summary('session-1');
    assert.equal(now(), 'idle');
    wire.prompt().wait(12_000);
    assert.equal(now(), 'waiting for the model, 12 s');
    wire.chunk('I look.').chunk(' Soon.').wait(2000);
    assert.equal(now(), 'answering, 2.0 s');
    wire.update({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'npm test', status: 'in_progress' }).wait(3000);
    assert.equal(now(), 'running npm test, 3.0 s');
    const question = { sessionId: 'session-1', toolCall: { toolCallId: '1' }, options: [] };
    wire.says({ id: 5, method: 'session/request_permission', params: question });
    assert.equal(now(), 'waiting for permission');
    wire.send('c2a', { jsonrpc: '2.0', id: 5, result: { outcome: { outcome: 'selected', optionId: 'yes' } } });
    wire.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: '1',
      status: 'completed',
      rawOutput: { exitCode: 3 },
    });
    assert.equal(now(), 'waiting for the model');
    wire.answer({ stopReason: 'end_turn' });
    assert.equal(
      now(),
      'idle; last turn took 17 s; warning: `npm test` ended with exit 3, though its call says completed',
    );
  });

  it('says how a turn really ended, and in the run what is worst', () => {
    const wire = DiagnosedWire.withSession().prompt().chunk('API Error: overloaded').answer({ stopReason: 'end_turn' });
    assert.match(wire.summary('session-1'), /^idle; last turn failed after 2 ms: the turn seems to have failed/);
    assert.match(wire.summary(), /^idle; error: the turn seems to have failed/);
    wire.ask('session/list', {});
    assert.equal(wire.wait(5000).summary(), 'waiting for the answer to session/list, 5.0 s');
    wire.process({ ev: 'stdin-close' }).process({ ev: 'exit', code: 0, signal: null });
    assert.match(wire.summary('session-1'), /^ended; last turn failed/);
  });

  it('does not hold against a turn what went wrong in an earlier one', () => {
    const failing = { sessionUpdate: 'tool_call', toolCallId: '1', title: 'npm test', status: 'failed' };
    const wire = DiagnosedWire.withSession().prompt().update(failing).answer({ stopReason: 'end_turn' });
    assert.match(wire.summary('session-1'), /npm test/);
    assert.match(wire.summary(), /npm test/);
    wire.prompt().chunk('Fine.').answer({ stopReason: 'end_turn' });
    assert.doesNotMatch(wire.summary('session-1'), /npm test/);
    assert.doesNotMatch(wire.summary(), /npm test/);
  });

  it('says of the run what is wrong elsewhere, when a session has put it right', () => {
    const wire = DiagnosedWire.withSession().ask(
      'session/new',
      { cwd: '/', mcpServers: [] },
      { sessionId: 'session-2' },
    );
    const prompt = (sessionId: string): DiagnosedWire =>
      wire.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Do it.' }] });
    prompt('session-2').answer({ stopReason: 'max_tokens' });
    prompt('session-1').refuse(-32603, 'Internal error');
    assert.match(wire.summary(), /error: the turn failed/);
    prompt('session-1').chunk('Fine.').answer({ stopReason: 'end_turn' });
    assert.match(wire.summary(), /warning: the turn was cut short/);
  });
});
