import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';
import { session, claude, text, bash, codexTurn, streaming } from '../../support/claudeStream';

const minute = 60_000;
const { init, result } = claude;

/** The text of the session's row after these lines. */
const after = (...lines: readonly object[]): string => streaming(...lines).summary(session);

describe("diagnosis: rows of agents' streams", () => {
  it('show retries while they last, and record a notice if the turn recovers', () => {
    const wire = streaming(init, { ...claude.retry, retry_delay_ms: 2000 });
    assert.equal(wire.summary(session), 'overloaded · retry 1');
    assert.deepEqual(wire.said, []);
    wire.send('a2c', result);
    assert.match(wire.summary(session), /^turn ended after/);
    assert.match(wire.said.join(), /^notice .* retrying: Recovered after 1 retry \(overloaded\)\.$/);
  });

  it('show no retry after Codex has given up', () => {
    const retry = { type: 'error', message: 'Reconnecting... 5/5' };
    assert.equal(after(...codexTurn(), retry), 'retry 1 of 5');
    const last = { type: 'error', message: 'stream disconnected before completion' };
    assert.equal(after(...codexTurn(), retry, last), 'waiting for the model');
  });

  it('show that a conversation is being compacted', () => {
    const status = (name: string | null): object => ({ ...init, subtype: 'status', status: name });
    const says = claude.says(text('Yes.'));
    assert.equal(after(init, says, status('compacting')), 'compacting the conversation');
    assert.equal(after(init, says, status('compacting'), status(null)), 'answering');
    // A command starts compaction before the turn is announced.
    const prompt = { type: 'user', message: { role: 'user', content: '/compact' } };
    const wire = streaming(init, result).send('c2a', prompt).send('a2c', status('compacting'));
    assert.equal(wire.summary(session), 'compacting the conversation');
    for (const line of [status(null), init, { ...result, local_command: 'compact' }]) wire.send('a2c', line);
    assert.match(wire.summary(session), /^turn ended after/);
  });

  it('show that the user interrupted the turn', () => {
    const wire = streaming(init).wait(2000).process({ ev: 'signal', signal: 'SIGTERM' }).exit('SIGTERM');
    assert.equal(wire.summary(session), 'turn stopped after 2.0 s');
  });

  it('describe a search and a limit in words', () => {
    const search = (query: string): object => ({ type: 'item.started', item: { id: 'w', type: 'web_search', query } });
    assert.equal(after(...codexTurn(), search('')), 'running: web search');
    assert.equal(after(...codexTurn(), search('ndjson')), 'running: web search: ndjson');
    const limited = (subtype: string): string => after(init, { ...result, subtype, is_error: true });
    assert.match(limited('error_max_budget_usd'), /cut short: budget in US dollars used up/);
    assert.match(limited('error_max_structured_output_retries'), /limit of retries for structured output reached/);
    assert.match(limited('error_max_constructor'), /limit of constructor reached/);
  });
});

describe("diagnosis: questions in an agent's stream", () => {
  const { says, asks, ended } = claude;
  const used = says(bash());
  const permission = 'waiting for you: permission for Bash: npm test';

  it("are settled by the tool's result, whoever answered", () => {
    const wire = streaming(init, used, asks('p1', 't1'), ended('t1'));
    assert.equal(wire.summary(session), 'waiting for the model');
    assert.deepEqual(wire.quiet(6 * minute).codes, ['silence warning']);
    const two = streaming(init, says(bash(), bash('t2')), asks('p1', 't1'), asks('p2', 't2'), ended('t1'));
    assert.equal(two.summary(session), permission);
    assert.deepEqual(two.quiet(30 * minute).codes, ['waiting-for-user warning']);
    assert.equal(two.send('a2c', ended('t2')).summary(session), 'waiting for the model');
  });

  it('wait for the user until all are answered', () => {
    const wire = streaming(init, asks('a'), asks('b')).send('c2a', claude.answers('a'));
    wire.send('c2a', claude.answers('hook'));
    assert.match(wire.summary(session), /^waiting for you: permission for/);
    assert.deepEqual(wire.quiet(30 * minute).codes, ['waiting-for-user warning']);
    wire.send('a2c', { type: 'control_cancel_request', request_id: 'b' });
    assert.match(wire.summary(session), /^waiting for the model/);
  });

  it('do not count as running time of the tool', () => {
    const wire = streaming(init, used, asks('p1', 't1')).wait(10 * minute);
    wire.send('c2a', claude.answers('p1')).wait(2000);
    assert.equal(wire.summary(session), 'running for 2.0 s: Bash: npm test');
  });

  it('may be about something other than permission', () => {
    for (const subtype of ['elicitation', 'request_user_dialog']) {
      const wire = streaming(init, used, asks('e1', 't1', subtype)).quiet(4 * minute);
      assert.equal(wire.summary(session), 'waiting for you for 4 min 0 s: an answer to “Bash: npm test”');
      assert.deepEqual(wire.codes, []);
    }
    assert.equal(after(init, used, asks('h1', 't1', 'hook_callback')), 'running: Bash: npm test');
    const acp = DiagnosedWire.withSession().prompt();
    acp.asks(5, 'elicitation/create', { sessionId: 'session-1', message: 'Which?' });
    assert.equal(acp.summary('session-1'), 'waiting for you: an answer to “Which?”');
  });
});

describe('diagnosis: the duration of a turn', () => {
  const failed = { ...result, subtype: 'error_during_execution', is_error: true, result: undefined, errors: ['boom'] };
  const boom = 'Turn failed: boom';

  /** Lines read at the same time, like those already in a file when it is opened. */
  function atOnce(...lines: object[]): DiagnosedWire {
    const wire = new DiagnosedWire('stream-json');
    for (const msg of lines) wire.accept({ t: 1, dir: 'a2c', line: JSON.stringify(msg), msg });
    return wire;
  }

  it('is what the agent reports if the lines are read at once, or unknown', () => {
    assert.equal(atOnce(init, failed).summary(session), boom);
    assert.equal(atOnce(init, { ...failed, duration_ms: 65_000 }).summary(session), boom);
    assert.match(atOnce(init, { ...result, result: '' }).said.join(), /empty-turn: Empty turn: no output/);
    assert.equal(atOnce(init, { ...result, result: 'Yes.' }).summary(session), 'turn ended');
    assert.equal(atOnce(init, { ...failed, terminal_reason: 'aborted_tools' }).summary(session), 'turn cancelled');
  });

  it('is the difference of the times of the lines', () => {
    const step = (type: string, seconds: number, part: object): object => {
      return { type, timestamp: 1_795_174_510_000 + seconds * 1000, sessionID: session, part };
    };
    const begun = [step('step_start', 0, {}), step('text', 1, { text: 'Yes.' })];
    const wire = atOnce(...begun, step('step_finish', 4, { reason: 'stop' }));
    assert.equal(wire.summary(session), 'turn ended after 4.0 s');
  });

  it('is not the age of the file that it started in', () => {
    const grown = (end: object): string => {
      const wire = atOnce(init).wait(3_600_000);
      wire.diagnoser.resume(3_600_000);
      return wire.send('a2c', end).summary(session);
    };
    assert.equal(grown(failed), boom);
    assert.equal(grown({ ...failed, duration_ms: 9000 }), boom);
    const left = atOnce(init).exit(0).said.join();
    assert.match(left, /Turn never finished: the agent ended without a result/);
  });

  it('is unknown if the clock was set back', () => {
    const wire = streaming().wait(60_000).send('a2c', init).wait(-30_000);
    assert.equal(wire.send('a2c', failed).summary(session), boom);
  });
});

describe('diagnosis: command lines that do one thing', () => {
  const spawned = (): DiagnosedWire => streaming().process({ ev: 'spawn', pid: 1, command: ['agent'], cwd: '/' });
  const done = { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } };

  it('are not asked to exit by the end of stdin', () => {
    for (const lines of [[init, result], [...codexTurn(), done], [{ hello: 1 }]]) {
      const wire = spawned().process({ ev: 'stdin-close' });
      for (const line of lines) wire.wait(9000).send('a2c', line);
      assert.deepEqual(wire.wait(500).exit(0).about('slow'), []);
    }
    const crashed = spawned().process({ ev: 'stdin-close' }).send('a2c', init).stderr('Error: no');
    assert.ok(crashed.exit(1).codes.includes('agent-ended error'));
    // After its turn, it is one.
    const idle = spawned().send('a2c', init);
    idle
      .send('c2a', claude.hears(text('Hi')))
      .wait(50)
      .send('a2c', result);
    idle.process({ ev: 'stdin-close' }).quiet(9000);
    assert.deepEqual(idle.codes, ['slow-to-end notice']);
  });
});
