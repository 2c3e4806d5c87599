import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

const session = 's1';
const minute = 60_000;

/** A run of an agent that has started to work. */
function begun(...lines: object[]): DiagnosedWire {
  const wire = new DiagnosedWire('stream-json');
  for (const line of lines) wire.send('a2c', line);
  return wire;
}

/** The activity of the session after each of these lines. */
function doing(wire: DiagnosedWire, lines: readonly object[], id = session): string[] {
  return lines.map((line) =>
    wire
      .wait(2000)
      .send('a2c', line)
      .summary(id)
      .replace(/^(\w+)(?: for)? \d+\.\d s/, '$1'),
  );
}

const claude = {
  init: { type: 'system', subtype: 'init', session_id: session, model: 'm' },
  says: (...content: object[]) => ({ type: 'assistant', session_id: session, message: { role: 'assistant', content } }),
  hears: (...content: object[]) => ({ type: 'user', session_id: session, message: { role: 'user', content } }),
  delta: (type: string) => ({ type: 'stream_event', session_id: session, event: { delta: { type } } }),
  result: { type: 'result', subtype: 'success', session_id: session, is_error: false, result: 'Done.' },
};
const bash = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } };

describe("diagnosis: turns of agents' streams", () => {
  it('shows what Claude Code is doing', () => {
    const told = doing(new DiagnosedWire('stream-json'), [
      claude.init,
      claude.delta('thinking_delta'),
      claude.delta('text_delta'),
      claude.says({ type: 'text', text: 'I will look.' }),
      claude.says(bash),
      claude.hears({ type: 'tool_result', tool_use_id: 't1', content: 'ok' }),
      { type: 'system', subtype: 'api_retry', session_id: session, error: 'overloaded', error_status: 529 },
      claude.says({ type: 'text', text: 'Done.' }),
    ]);
    assert.deepEqual(told, [
      'waiting for the model',
      'waiting for the model',
      'answering',
      'answering',
      'running: Bash: npm test',
      'waiting for the model',
      'overloaded · retry 1',
      'answering',
    ]);
  });

  it('shows what Codex is doing, which names its session once', () => {
    const item = { id: 'i1', type: 'command_execution', command: 'make', status: 'in_progress' };
    const told = doing(
      begun({ type: 'thread.started', thread_id: session }),
      [
        { type: 'turn.started' },
        { type: 'item.started', item },
        { type: 'item.completed', item: { ...item, status: 'completed', exit_code: 0 } },
        { type: 'error', message: 'Reconnecting... 2/5 (status 500)' },
        { type: 'item.completed', item: { id: 'i2', type: 'agent_message', text: 'Made.' } },
        { type: 'turn.completed', usage: {} },
      ],
      session,
    );
    assert.deepEqual(told.slice(0, -1), [
      'waiting for the model',
      'running: make',
      'waiting for the model',
      'provider unavailable · retry 1 of 5',
      'answering',
    ]);
    assert.match(told.at(-1) ?? '', /^turn ended after 10 s$/);
  });

  it('shows what Gemini and OpenCode are doing', () => {
    const stamp = { timestamp: '2026-11-20T12:00:00Z' };
    const gemini = doing(new DiagnosedWire('stream-json'), [
      { ...stamp, type: 'init', session_id: session, model: 'm' },
      { ...stamp, type: 'message', role: 'user', content: 'Go.' },
      { ...stamp, type: 'tool_use', tool_id: 't', tool_name: 'shell', parameters: { command: 'ls' } },
      { ...stamp, type: 'tool_result', tool_id: 't', status: 'success' },
      { ...stamp, type: 'message', role: 'assistant', content: 'Yes.', delta: true },
      { ...stamp, type: 'result', status: 'success', stats: {} },
    ]);
    assert.deepEqual(gemini, [
      'waiting for the model',
      'waiting for the model',
      'running: shell: ls',
      'waiting for the model',
      'answering',
      'turn ended after 10 s',
    ]);
    const step = (type: string, part: object): object => ({ type, sessionID: session, timestamp: 1, part });
    const opencode = doing(new DiagnosedWire('stream-json'), [
      step('step_start', { type: 'step-start' }),
      step('tool_use', { type: 'tool', tool: 'bash', state: { status: 'completed', input: {} } }),
      step('step_finish', { reason: 'tool-calls' }),
      step('step_start', { type: 'step-start' }),
      step('text', { type: 'text', text: 'Yes.' }),
      step('step_finish', { reason: 'stop' }),
    ]);
    assert.deepEqual(opencode, [
      'waiting for the model',
      'waiting for the model',
      'waiting for the model',
      'waiting for the model',
      'answering',
      'turn ended after 10 s',
    ]);
  });

  it('reports how a turn really ended', () => {
    const after = (...lines: object[]): string => begun(claude.init, ...lines).summary(session);
    assert.equal(after(claude.result), 'turn ended after 1 ms');
    assert.match(
      after({ ...claude.result, is_error: true, result: 'boom' }),
      /^Turn failed: boom\. \(The agent reported success\.\)$/,
    );
    assert.match(after({ ...claude.result, subtype: 'error_max_turns' }), /^Turn cut short/);
    const killed = begun(claude.init).process({ ev: 'exit', code: null, signal: 'SIGKILL' });
    assert.match(killed.summary(session), /^turn unfinished/);
    const aborted = { type: 'error', sessionID: session, error: { name: 'MessageAbortedError' } };
    assert.match(begun({ type: 'step_start', sessionID: session }, aborted).summary(session), /turn cancelled/);
  });

  it("starts a turn with the user's message, and recognizes an interrupted one", () => {
    const wire = begun(claude.init, claude.result).send('c2a', claude.hears({ type: 'text', text: 'Again.' }));
    assert.match(wire.summary(session), /^waiting for the model/);
    wire.send('c2a', { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } });
    wire.send('a2c', { ...claude.result, subtype: 'error_during_execution', is_error: true });
    assert.match(wire.summary(session), /^turn cancelled/);
  });

  it('reports a turn without activity, after the time that a complete message may take', () => {
    const wire = begun(claude.init, claude.says(bash)).quiet(4 * minute);
    assert.deepEqual(wire.codes, []);
    assert.match(wire.quiet(2 * minute).said[0] ?? '', /^notice \[s1\] silence: No activity for 5 min.*npm test/);
    const done = begun(claude.init, claude.result).quiet(10 * minute);
    assert.deepEqual(done.codes, []);
  });

  it('does not report silence while it waits for the user', () => {
    const asks = { type: 'control_request', request_id: 'p', request: { subtype: 'can_use_tool', tool_name: 'Bash' } };
    const wire = begun(claude.init, asks);
    assert.match(wire.summary(session), /^waiting for you: permission for/);
    assert.deepEqual(wire.quiet(30 * minute).codes, ['waiting-for-user warning']);
    wire.send('c2a', { type: 'control_response', response: { request_id: 'p', subtype: 'success' } });
    assert.match(wire.summary(session), /^waiting for the model/);
    const silence = wire.quiet(6 * minute).codes.filter((code) => code.startsWith('silence'));
    assert.deepEqual(silence, ['silence warning']);
  });

  it("does not treat a subagent's text as the answer", () => {
    const inner = { ...claude.says({ type: 'text', text: 'Nothing.' }), parent_tool_use_id: 't1' };
    assert.match(begun(claude.init, inner).summary(session), /^waiting for the model/);
  });

  it('does not treat input of the agent as its output', () => {
    const pasted = { type: 'text', text: 'Error: connect ECONNREFUSED 127.0.0.1:5432' };
    const replay = { ...claude.hears(pasted), isReplay: true };
    const wire = begun(claude.init, replay, { ...claude.hears({ type: 'text', text: 'A skill.' }), isSynthetic: true });
    assert.match(wire.summary(session), /^waiting for the model/);
    wire.send('a2c', claude.says({ type: 'text', text: 'Start it.' })).send('a2c', claude.result);
    assert.deepEqual(wire.codes, []);
    const silent = begun(claude.init, replay, { ...claude.result, result: '' });
    assert.deepEqual(silent.codes, ['empty-turn warning']);
  });

  it('does not report a command of the agent as an empty turn', () => {
    const done = { ...claude.result, result: '', num_turns: 0, stop_reason: null };
    const compact = begun(claude.init, claude.result).send('c2a', claude.hears({ type: 'text', text: '/compact' }));
    compact.send('a2c', { type: 'system', subtype: 'compact_boundary', session_id: session }).send('a2c', claude.init);
    assert.deepEqual(compact.send('a2c', done).codes, []);
    const clear = begun(claude.init, claude.result).send('c2a', claude.hears({ type: 'text', text: '/clear' }));
    clear.send('a2c', { type: 'conversation_reset', session_id: session });
    clear.send('a2c', { ...claude.init, session_id: 's2' }).send('a2c', { ...done, session_id: 's2' });
    assert.deepEqual(clear.codes, []);
    assert.match(clear.summary(session), /^turn ended after/);
    // Newer versions put the command's output in the result, where it isn't displayed.
    assert.deepEqual(begun(claude.init, { ...done, local_command: 'clear' }).codes, []);
    assert.deepEqual(begun(claude.init, done).codes, ['empty-turn warning']);
  });

  it('ignores problems after the answer', () => {
    const retry = { type: 'system', subtype: 'api_retry', session_id: session, error: 'overloaded', error_status: 529 };
    const limit = { type: 'rate_limit_event', session_id: session, rate_limit_info: { status: 'rejected' } };
    const says = claude.says({ type: 'text', text: 'Done.' });
    assert.deepEqual(begun(claude.init, says, retry, claude.result).codes, ['retrying notice']);
    assert.deepEqual(begun(claude.init, says, limit, claude.result).codes, ['rate-limited notice']);
    const swallowed = { ...claude.result, result: 'API Error: overloaded (status 529)' };
    assert.match(begun(claude.init, retry, swallowed).codes.join(), /failed-turn error/);
    assert.match(begun(claude.init, says, retry, { ...claude.result, result: '' }).codes.join(), /failed-turn error/);
  });

  it('counts only real retries', () => {
    const retry = { type: 'system', subtype: 'api_retry', session_id: session, error: 'rate_limit' };
    const limit = { type: 'rate_limit_event', session_id: session, rate_limit_info: { status: 'rejected' } };
    assert.equal(begun(claude.init, limit).summary(session), 'waiting for the model');
    assert.equal(begun(claude.init, retry, limit).summary(session), 'rate limited · retry 1');
  });

  it('uses the session that the agent names, whatever the client calls it', () => {
    const wire = new DiagnosedWire('stream-json');
    wire
      .send('c2a', { ...claude.hears(), session_id: 'default' })
      .send('a2c', claude.init)
      .send('a2c', claude.result);
    wire.send('c2a', { ...claude.hears(), session_id: 'default' }).send('a2c', claude.result);
    assert.deepEqual([wire.summary('default'), wire.quiet(60 * minute).codes], ['', []]);
    assert.match(wire.summary(session), /^turn ended after/);
  });

  it('follows the agent to another session', () => {
    const wire = begun(claude.init, claude.result).send('c2a', claude.hears());
    wire.send('a2c', { ...claude.init, session_id: 's2' }).send('a2c', { ...claude.result, session_id: 's2' });
    assert.match(wire.summary(session), /^turn ended after 1 ms$/);
    assert.match(wire.summary('s2'), /^turn ended after/);
    assert.deepEqual(wire.quiet(60 * minute).codes, []);
  });

  it('ends the turn of a killed run when another starts in the same file', () => {
    const resumed = begun(claude.init, claude.says(bash)).send('a2c', claude.init);
    assert.equal(resumed.summary(session), 'waiting for the model');
    const other = begun({ type: 'thread.started', thread_id: session }, { type: 'turn.started' });
    other.send('a2c', { type: 'thread.started', thread_id: 's2' }).send('a2c', { type: 'turn.started' });
    assert.match(other.summary(session), /^turn unfinished/);
    assert.match(other.summary('s2'), /^waiting for the model/);
    assert.deepEqual(other.codes, []);
  });

  it('waits for the user until all questions are answered', () => {
    const ask = (id: string): object => ({
      type: 'control_request',
      request_id: id,
      request: { subtype: 'can_use_tool', tool_name: 'Bash' },
    });
    const answer = (id: string): object => ({ type: 'control_response', response: { request_id: id } });
    const wire = begun(claude.init, ask('a'), ask('b')).send('c2a', answer('a')).send('c2a', answer('hook'));
    assert.match(wire.summary(session), /^waiting for you: permission for/);
    assert.deepEqual(wire.quiet(30 * minute).codes, ['waiting-for-user warning']);
    wire.send('a2c', { type: 'control_cancel_request', request_id: 'b' });
    assert.match(wire.summary(session), /^waiting for the model/);
  });

  it('reports a crash, however the previous turn ended', () => {
    const interrupt = { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } };
    const wire = begun(claude.init).send('c2a', interrupt);
    wire.send('a2c', { ...claude.result, subtype: 'error_during_execution', is_error: true });
    wire.send('c2a', claude.hears()).send('a2c', claude.init).process({ ev: 'exit', code: 1, signal: null });
    assert.deepEqual(wire.codes, ['agent-ended error']);
  });

  it('reports turns that ended without output, or without an end', () => {
    assert.deepEqual(begun(claude.init, { ...claude.result, result: '' }).codes, ['empty-turn warning']);
    assert.deepEqual(begun(claude.init, claude.result).codes, []);
    const left = begun(claude.init).process({ ev: 'exit', code: 0, signal: null });
    assert.match(left.said[0] ?? '', /^warning \[s1\] failed-turn: Turn never finished: the agent ended after 1 ms/);
    const stopped = begun(claude.init).process({ ev: 'signal', signal: 'SIGTERM' });
    assert.deepEqual(stopped.process({ ev: 'exit', code: 0, signal: null }).codes, []);
    const step = { type: 'step_finish', sessionID: session, part: { reason: 'length' } };
    assert.deepEqual(begun({ type: 'step_start', sessionID: session }, step).codes, ['turn-cut-short warning']);
    const droid = begun(claude.init, { type: 'completion', session_id: session, finalText: 'Done.' });
    assert.match(droid.summary(session), /^empty turn · turn failed after 1 ms/);
  });

  it('reports an agent that starts and sends nothing', () => {
    const wire = new DiagnosedWire('stream-json');
    wire.process({ ev: 'spawn', pid: 1, command: ['a'], cwd: '/' }).quiet(6 * minute);
    assert.match(wire.said[0] ?? '', /^warning \[\] silence: No output since the start for 5 min/);
    wire.stdout('hello').quiet(60 * minute);
    assert.deepEqual(wire.codes, ['silence warning', 'stdout-junk warning', 'silence notice']);
    assert.match(wire.said[2] ?? '', /First output after 1 h/);
  });

  it('recognizes errors that Gemini reported, whatever its result says', () => {
    const error = { type: 'error', severity: 'error', message: 'Maximum session turns exceeded', session_id: session };
    const init = { type: 'init', session_id: session, model: 'm' };
    const of = (status: string): string => begun(init, error, { type: 'result', status, stats: {} }).said.join();
    assert.match(of('success'), /^warning \[s1\] turn-cut-short: .*Maximum session turns exceeded/);
    assert.match(of('error'), /^error \[s1\] failed-turn: Turn failed: Maximum session turns exceeded/);
    const next = begun(init, error, init, { type: 'result', status: 'success', result: 'Yes.' });
    assert.deepEqual(next.codes, []);
  });
});
