import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('diagnosis: the summary of a session', () => {
  it('follows a turn', () => {
    const wire = DiagnosedWire.withSession();
    const now = (): string => wire.summary('session-1');
    assert.equal(now(), 'idle');
    wire.prompt().wait(12_000);
    assert.equal(now(), 'waiting 12 s for the model');
    wire.chunk('I look.').chunk(' Soon.').wait(2000);
    assert.equal(now(), 'answering for 2.0 s');
    wire.call('npm test', 'in_progress').wait(3000);
    assert.equal(now(), 'running for 3.0 s: npm test');
    const question = { sessionId: 'session-1', toolCall: { toolCallId: '1' }, options: [] };
    wire.asks(5, 'session/request_permission', question);
    assert.equal(now(), 'waiting for you: permission for npm test');
    wire.reply(5, { outcome: { outcome: 'selected', optionId: 'yes' } });
    wire.called('completed', { rawOutput: { exitCode: 3 } });
    assert.equal(now(), 'waiting for the model');
    wire.end();
    assert.equal(now(), 'exit 3 · npm test · turn ended after 17 s');
  });

  it("shows how a turn really ended, and the worst problem in the run's summary", () => {
    const wire = DiagnosedWire.withSession().prompt().chunk('API Error: overloaded').end();
    assert.equal(wire.summary('session-1'), 'overloaded · turn failed after 2 ms');
    assert.equal(wire.summary(), 'overloaded');
    wire.ask('session/list', {});
    assert.equal(wire.wait(5000).summary(), 'waiting 5.0 s for the answer to session/list');
    wire.process({ ev: 'stdin-close' }).exit(0);
    assert.match(wire.summary('session-1'), /^overloaded · turn failed/);
  });

  it('has no headline for a failure that the agent dealt with', () => {
    const wire = DiagnosedWire.withSession().prompt().call('npm test', 'failed');
    wire.call('npm test', 'completed', { toolCallId: '2' });
    wire.chunk('All tests pass now.').end();
    assert.deepEqual(wire.codes, ['tool-failed notice']);
    assert.match(wire.summary('session-1'), /^turn ended after/);
    assert.equal(wire.summary(), 'idle');
  });

  it('does not blame a turn for problems in an earlier one', () => {
    const wire = DiagnosedWire.withSession().prompt().call('npm test', 'failed').end();
    assert.match(wire.summary('session-1'), /npm test/);
    assert.match(wire.summary(), /npm test/);
    wire.prompt().chunk('Fine.').end();
    assert.doesNotMatch(wire.summary('session-1'), /npm test/);
    assert.doesNotMatch(wire.summary(), /npm test/);
  });

  it("keeps other problems in the run's summary when a session recovers", () => {
    const wire = DiagnosedWire.withSession().ask('session/new', { cwd: '/' }, { sessionId: 'session-2' });
    const prompt = (sessionId: string): DiagnosedWire =>
      wire.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Do it.' }] });
    prompt('session-2').answer({ stopReason: 'max_tokens' });
    prompt('session-1').refuse(-32603, 'Internal error');
    assert.match(wire.summary(), /^Turn failed after/);
    prompt('session-1').chunk('Fine.').end();
    assert.match(wire.summary(), /^cut short/);
  });

  it('shows first that a turn was cancelled or unanswered, and ignores the tools cancelled with it', () => {
    const begun = (content: string): DiagnosedWire => {
      const failed = { type: 'tool_result', tool_use_id: 't', is_error: true, content };
      const init = { type: 'system', subtype: 'init', session_id: 's' };
      const wire = new DiagnosedWire('stream-json').send('a2c', init).wait(2000);
      return wire.send('a2c', { type: 'user', session_id: 's', message: { content: [failed] } });
    };
    const end = { type: 'result', session_id: 's', is_error: true, subtype: 'error_during_execution' };
    const aborted = { ...end, terminal_reason: 'aborted_tools' };
    const cancelled = (content: string): string => begun(content).send('a2c', aborted).summary('s');
    const rejection = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    assert.equal(cancelled(rejection), 'turn cancelled after 2.0 s');
    assert.equal(cancelled('Exit code 137'), 'turn cancelled after 2.0 s');
    const crashed = begun('x'.repeat(300)).exit(1);
    assert.equal(crashed.summary('s'), 'turn unfinished after 2.0 s');
  });

  it('shows the end of a turn once, followed by its duration', () => {
    const ends: readonly (readonly [(wire: DiagnosedWire) => unknown, string])[] = [
      [(wire) => wire.answer({ stopReason: 'max_tokens' }), 'Turn cut short: token limit reached (max_tokens)'],
      [(wire) => wire.answer({ stopReason: 'refusal' }), 'Turn cut short: the agent refused to continue (refusal)'],
      [(wire) => wire.refuse(-32603, 'Internal error'), 'Turn failed after 7.0 s: Internal error (-32603)'],
      [(wire) => wire.exit(0), 'exit 0 · turn unfinished after 7.0 s'],
      [(wire) => wire.cancel().answer({ stopReason: 'cancelled' }), 'turn cancelled after 7.0 s'],
    ];
    for (const [end, shown] of ends) {
      const wire = DiagnosedWire.withSession().prompt().wait(7000);
      end(wire);
      assert.equal(wire.summary('session-1'), shown);
    }
  });
});
