import assert from 'node:assert/strict';
import { session, claude, text, bash, codexTurn, streaming } from '../../support/claudeStream';

const minute = 60_000;

/** The activity of the session after each of these lines. */
function doing(lines: readonly object[], wire = streaming()): string[] {
  const after = (line: object): string => wire.wait(2000).send('a2c', line).summary(session);
  return lines.map((line) => after(line).replace(/^(\w+)(?: for)? \d+\.\d s/, '$1'));
}

describe("diagnosis: turns of agents' streams", () => {
  const waiting = 'waiting for the model';

  it('shows what Claude Code is doing', () => {
    const { init, delta, says, ended, retry } = claude;
    const told = doing([
      ...[init, delta('thinking_delta'), delta('text_delta'), says(text('I will look.')), says(bash())],
      ...[ended('t1'), retry, says(text('Done.'))],
    ]);
    const begun = [waiting, waiting, 'answering', 'answering', 'running: Bash: npm test', waiting];
    assert.deepEqual(told, [...begun, 'overloaded · retry 1', 'answering']);
  });

  it('shows what Codex is doing, which names its session once', () => {
    const item = { id: 'i1', type: 'command_execution', command: 'make', status: 'in_progress' };
    const [thread = {}, turn = {}] = codexTurn();
    const lines = [
      turn,
      { type: 'item.started', item },
      { type: 'item.completed', item: { ...item, status: 'completed', exit_code: 0 } },
      { type: 'error', message: 'Reconnecting... 2/5 (status 500)' },
      { type: 'item.completed', item: { id: 'i2', type: 'agent_message', text: 'Made.' } },
      { type: 'turn.completed', usage: {} },
    ];
    const retry = 'provider unavailable · retry 1 of 5';
    const told = [waiting, 'running: make', waiting, retry, 'answering', 'turn ended after 10 s'];
    assert.deepEqual(doing(lines, streaming(thread)), told);
  });

  it('shows what Gemini and OpenCode are doing', () => {
    const timestamp = '2026-11-20T12:00:00Z';
    const gemini = doing([
      { timestamp, type: 'init', session_id: session, model: 'm' },
      { timestamp, type: 'message', role: 'user', content: 'Go.' },
      { timestamp, type: 'tool_use', tool_id: 't', tool_name: 'shell', parameters: { command: 'ls' } },
      { timestamp, type: 'tool_result', tool_id: 't', status: 'success' },
      { timestamp, type: 'message', role: 'assistant', content: 'Yes.', delta: true },
      { timestamp, type: 'result', status: 'success', stats: {} },
    ]);
    const done = 'turn ended after 10 s';
    assert.deepEqual(gemini, [waiting, waiting, 'running: shell: ls', waiting, 'answering', done]);
    const step = (type: string, part: object): object => ({ type, sessionID: session, timestamp: 1, part });
    const opencode = doing([
      step('step_start', { type: 'step-start' }),
      step('tool_use', { type: 'tool', tool: 'bash', state: { status: 'completed', input: {} } }),
      step('step_finish', { reason: 'tool-calls' }),
      step('step_start', { type: 'step-start' }),
      step('text', { type: 'text', text: 'Yes.' }),
      step('step_finish', { reason: 'stop' }),
    ]);
    assert.deepEqual(opencode, [waiting, waiting, waiting, waiting, 'answering', done]);
  });

  it('reports how a turn really ended', () => {
    const after = (...lines: object[]): string => streaming(claude.init, ...lines).summary(session);
    assert.equal(after(claude.result), 'turn ended after 1 ms');
    const failed = after({ ...claude.result, is_error: true, result: 'boom' });
    assert.equal(failed, 'Turn failed: boom. (The agent reported success.)');
    assert.match(after({ ...claude.result, subtype: 'error_max_turns' }), /^Turn cut short/);
    assert.match(streaming(claude.init).exit('SIGKILL').summary(session), /^turn unfinished/);
    const aborted = { type: 'error', sessionID: session, error: { name: 'MessageAbortedError' } };
    assert.match(streaming({ type: 'step_start', sessionID: session }, aborted).summary(session), /turn cancelled/);
  });

  it("starts a turn with the user's message, and recognizes an interrupted one", () => {
    const wire = streaming(claude.init, claude.result).send('c2a', claude.hears(text('Again.')));
    assert.match(wire.summary(session), /^waiting for the model/);
    wire.send('c2a', claude.interrupt);
    wire.send('a2c', { ...claude.result, subtype: 'error_during_execution', is_error: true });
    assert.match(wire.summary(session), /^turn cancelled/);
  });

  it('does not report silence while it waits for the user', () => {
    const wire = streaming(claude.init, claude.asks('p'));
    assert.match(wire.summary(session), /^waiting for you: permission for/);
    assert.deepEqual(wire.quiet(30 * minute).codes, ['waiting-for-user warning']);
    wire.send('c2a', claude.answers('p'));
    assert.match(wire.summary(session), /^waiting for the model/);
    assert.deepEqual(wire.quiet(6 * minute).about('silence'), ['silence warning']);
  });

  it("does not treat a subagent's text as the answer, or input of the agent as its output", () => {
    const inner = { ...claude.says(text('Nothing.')), parent_tool_use_id: 't1' };
    assert.match(streaming(claude.init, inner).summary(session), /^waiting for the model/);
    const replay = { ...claude.hears(text('Error: connect ECONNREFUSED 127.0.0.1:5432')), isReplay: true };
    const wire = streaming(claude.init, replay, { ...claude.hears(text('A skill.')), isSynthetic: true });
    assert.match(wire.summary(session), /^waiting for the model/);
    wire.send('a2c', claude.says(text('Start it.'))).send('a2c', claude.result);
    assert.deepEqual(wire.codes, []);
    assert.deepEqual(streaming(claude.init, replay, { ...claude.result, result: '' }).codes, ['empty-turn warning']);
  });

  it('ignores problems after the answer', () => {
    const { init, retry, limit, result } = claude;
    const says = claude.says(text('Done.'));
    assert.deepEqual(streaming(init, says, retry, result).codes, ['retrying notice']);
    assert.deepEqual(streaming(init, says, limit, result).codes, ['rate-limited notice']);
    const swallowed = { ...result, result: 'API Error: overloaded (status 529)' };
    assert.match(streaming(init, retry, swallowed).codes.join(), /failed-turn error/);
    assert.match(streaming(init, says, retry, { ...result, result: '' }).codes.join(), /failed-turn error/);
  });

  it('counts only real retries', () => {
    const { init, limit } = claude;
    assert.equal(streaming(init, limit).summary(session), 'waiting for the model');
    const retry = { type: 'system', subtype: 'api_retry', session_id: session, error: 'rate_limit' };
    assert.equal(streaming(init, retry, limit).summary(session), 'rate limited · retry 1');
  });

  it('uses the session that the agent names, whatever the client calls it', () => {
    const mine = { ...claude.hears(), session_id: 'default' };
    const wire = streaming().send('c2a', mine).send('a2c', claude.init).send('a2c', claude.result);
    wire.send('c2a', mine).send('a2c', claude.result);
    assert.deepEqual([wire.summary('default'), wire.quiet(60 * minute).codes], ['', []]);
    assert.match(wire.summary(session), /^turn ended after/);
  });

  it('follows the agent to another session', () => {
    const wire = streaming(claude.init, claude.result).send('c2a', claude.hears());
    wire.send('a2c', { ...claude.init, session_id: 's2' }).send('a2c', { ...claude.result, session_id: 's2' });
    assert.match(wire.summary(session), /^turn ended after 1 ms$/);
    assert.match(wire.summary('s2'), /^turn ended after/);
    assert.deepEqual(wire.quiet(60 * minute).codes, []);
  });

  it('ends the turn of a killed run when another starts in the same file', () => {
    const resumed = streaming(claude.init, claude.says(bash()), claude.init);
    assert.equal(resumed.summary(session), 'waiting for the model');
    const other = streaming(...codexTurn(), ...codexTurn('s2'));
    assert.match(other.summary(session), /^turn unfinished/);
    assert.match(other.summary('s2'), /^waiting for the model/);
    assert.deepEqual(other.codes, []);
  });

  it('has separate turns of several sessions in one file, as long as they are active', () => {
    const wire = streaming();
    const now = (line: object, session_id: string): string[] => {
      wire.send('a2c', { ...line, session_id });
      return ['s1', 's2'].map((id) => wire.summary(id));
    };
    now(claude.init, 's1');
    assert.deepEqual(now(claude.init, 's2'), ['turn unfinished', 'waiting for the model']);
    assert.deepEqual(now(claude.says(bash()), 's1'), ['running: Bash: npm test', 'waiting for the model']);
    assert.deepEqual(now(claude.says(text('Yes.')), 's2'), ['running: Bash: npm test', 'answering']);
    assert.deepEqual(now({ type: 'result', result: 'Done.' }, 's1'), ['turn ended after 4 ms', 'answering']);
    const failed = { type: 'result', is_error: true, result: 'boom' };
    assert.deepEqual(now(failed, 's2'), ['turn ended after 4 ms', 'Turn failed: boom']);
    assert.deepEqual(wire.quiet(3_600_000).codes, ['failed-turn error']);
  });

  it('reports a crash, however the previous turn ended', () => {
    const wire = streaming(claude.init).send('c2a', claude.interrupt);
    wire.send('a2c', { ...claude.result, subtype: 'error_during_execution', is_error: true });
    wire.send('c2a', claude.hears()).send('a2c', claude.init).exit(1);
    assert.deepEqual(wire.codes, ['agent-ended error']);
  });

  it('reports turns that ended without output, or without an end', () => {
    assert.deepEqual(streaming(claude.init, { ...claude.result, result: '' }).codes, ['empty-turn warning']);
    assert.deepEqual(streaming(claude.init, claude.result).codes, []);
    const left = streaming(claude.init).exit(0).first;
    assert.match(left, /^warning \[s1\] failed-turn: Turn never finished: the agent ended after 1 ms/);
    const stopped = streaming(claude.init).process({ ev: 'signal', signal: 'SIGTERM' });
    assert.deepEqual(stopped.exit(0).codes, []);
    const step = { type: 'step_finish', sessionID: session, part: { reason: 'length' } };
    assert.deepEqual(streaming({ type: 'step_start', sessionID: session }, step).codes, ['turn-cut-short warning']);
    const droid = streaming(claude.init, { type: 'completion', session_id: session, finalText: 'Done.' });
    assert.match(droid.summary(session), /^empty turn · turn failed after 1 ms/);
  });

  it('reports an agent that starts and sends nothing', () => {
    const wire = streaming()
      .process({ ev: 'spawn', pid: 1, command: ['a'], cwd: '/' })
      .quiet(6 * minute);
    assert.match(wire.first, /^warning \[\] silence: No output since the start for 5 min/);
    wire.stdout('hello').quiet(60 * minute);
    assert.deepEqual(wire.codes, ['silence warning', 'stdout-junk warning', 'silence notice']);
    assert.match(wire.said[2] ?? '', /First output after 1 h/);
  });

  it('recognizes errors that Gemini reported, whatever its result says', () => {
    const error = { type: 'error', severity: 'error', message: 'Maximum session turns exceeded', session_id: session };
    const init = { type: 'init', session_id: session, model: 'm' };
    const of = (status: string): string => streaming(init, error, { type: 'result', status, stats: {} }).said.join();
    assert.match(of('success'), /^warning \[s1\] turn-cut-short: .*Maximum session turns exceeded/);
    assert.match(of('error'), /^error \[s1\] failed-turn: Turn failed: Maximum session turns exceeded/);
    const next = streaming(init, error, init, { type: 'result', status: 'success', result: 'Yes.' });
    assert.deepEqual(next.codes, []);
  });
});
