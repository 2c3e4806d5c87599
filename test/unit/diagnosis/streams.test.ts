import assert from 'node:assert/strict';
import { streaming, claude } from '../../support/claudeStream';

/** The findings about a stream's lines. */
const of = (...lines: object[]): string[] => streaming(...lines).said;

describe("diagnosis: agents' streams", () => {
  it('does not report the exit code that follows a failed turn', () => {
    const failed = { type: 'turn.failed', error: { message: 'no' } };
    assert.equal(streaming(failed).exit(1).said.length, 1);
    assert.match(streaming().exit(1).first, /agent-ended: Exited with code 1/);
    assert.match(streaming(failed).exit('SIGSEGV').said[1] ?? '', /agent-ended: Ended by SIGSEGV/);
  });

  it('reports the cause of a crash, even if an earlier turn failed', () => {
    const wire = streaming({ type: 'result', is_error: true, result: 'no' });
    wire.send('a2c', { type: 'result', subtype: 'success', is_error: false, result: 'ok' });
    wire.exit(134);
    assert.deepEqual(wire.codes, ['failed-turn error', 'agent-ended error']);
  });

  it('recognizes a limit with paid use beyond it, and its time in seconds or milliseconds', () => {
    const event = (info: object): object => ({ type: 'rate_limit_event', rate_limit_info: info });
    const paid = of(event({ status: 'rejected', isUsingOverage: true, resetsAt: 1_764_000_000 }));
    assert.match(paid[0] ?? '', /^notice .* until 2025-11-24T16:00:00\.000Z: extra usage is billed\.$/);
    assert.match(of(event({ status: 'rejected', resetsAt: 1_764_000_000_000 }))[0] ?? '', /until 2025-11-24T16/);
  });

  it('reports failed tools and their input', () => {
    const use = { type: 'tool_use', id: '1', name: 'Bash', input: { command: 'npm test' } };
    const result = { type: 'tool_result', tool_use_id: '1', is_error: true, content: 'Exit code 3' };
    const claudes = of(
      { type: 'assistant', message: { content: [use] } },
      { type: 'user', message: { content: [result] } },
    );
    assert.deepEqual(claudes, ['warning [] tool-failed: `npm test` exited with code 3.']);
    const made = { exit_code: 2, status: 'failed', aggregated_output: 'no rule' };
    const item = { type: 'command_execution', command: 'make', ...made };
    const told = 'warning [] tool-failed: `make` exited with code 2: no rule.';
    assert.deepEqual(of({ type: 'item.completed', item }), [told]);
    const part = { type: 'tool', tool: 'bash', state: { status: 'completed', input: {}, metadata: { exit: 1 } } };
    const marked = 'warning [s] tool-failed: `bash` exited with code 1, but the agent marked it completed.';
    assert.deepEqual(of({ type: 'tool_use', sessionID: 's', part }), [marked]);
  });

  it('recognizes retries and limits', () => {
    const error = { type: 'error', message: 'Reconnecting... 2/5 (unexpected status 500)' };
    assert.match(of(error)[0] ?? '', /^notice \[\] retrying: Retrying: Reconnecting\.\.\. 2\/5/);
    assert.match(of({ type: 'turn.failed', error: { message: 'no' } })[0] ?? '', /failed-turn/);
    const retry = { ...claude.retry, session_id: undefined, retry_delay_ms: 2000 };
    assert.match(of(retry)[0] ?? '', /^warning \[\] retrying: Retrying in 2\.0 s: overloaded \(status 529\)/);
    const event = (status: string): object => {
      return { type: 'rate_limit_event', rate_limit_info: { status, resetsAt: 1e9 } };
    };
    assert.match(of(event('rejected'))[0] ?? '', /^warning .* until 2001-09-09/);
    assert.match(of(event('allowed_warning'))[0] ?? '', /^notice /);
    assert.deepEqual(of(event('allowed')), []);
  });
});
