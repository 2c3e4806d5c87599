import assert from 'node:assert/strict';
import { StreamJsonInterpreter } from '../../../../../src/agents/reading/streams/streamJsonInterpreter';
import { RecordStore } from '../../../../../src/store/store';
import { RunLog } from '../../../../../src/runLog/runLog';
import { StreamWire } from '../../../../support/streamWire';

const session_id = '11111111-2222-4333-8444-555555555555';

function wire(): StreamWire {
  return new StreamWire((context) => new StreamJsonInterpreter(context));
}

function assistant(...content: unknown[]): Record<string, unknown> {
  return { type: 'assistant', session_id, message: { role: 'assistant', content } };
}

function user(...content: unknown[]): Record<string, unknown> {
  return { type: 'user', session_id, message: { role: 'user', content } };
}

describe('stream-json interpreter', () => {
  it('keeps the beginning of a long text, and says how much is missing', () => {
    const text = 'x'.repeat(100_000);
    const { records, log } = wire().send(assistant({ type: 'text', text }));
    assert.equal(records[0]?.message, `${'x'.repeat(4096)}… (95904 more characters)`);
    assert.equal(log.store.raw(1)?.includes(text), true);
  });

  it('reports what a pause completed before later events, with or without quiet', () => {
    const told = (isQuiet: boolean): string[] => {
      const log = new RunLog(new RecordStore(1e6), 0);
      const interpreter = new StreamJsonInterpreter({ sink: log, work: log.work });
      const timestamp = '2026-11-20T12:00:00.000Z';
      const delta = { type: 'message', timestamp, role: 'assistant', content: 'piece', delta: true };
      for (const [t, msg] of [
        [0, { type: 'init', timestamp, session_id, model: 'gemini-3-pro' }],
        [1, delta],
      ] as const) {
        if (isQuiet) interpreter.quiet(t);
        interpreter.accept({ t, dir: 'a2c', line: JSON.stringify(msg), msg });
      }
      if (isQuiet) interpreter.quiet(60_000);
      interpreter.accept({ t: 60_000, dir: 'err', line: 'much later' });
      interpreter.quiet(120_000);
      return log.store.query().map(({ message }) => message);
    };
    assert.ok(told(true).includes('piece'));
    assert.deepEqual(told(false), told(true));
  });

  it('bounds the tool input that is kept as data', () => {
    const input = {
      file_path: '/a',
      content: 'x'.repeat(100_000),
      list: new Array(1000).fill({ deep: [[[[[[1]]]]]] }),
    };
    const { records } = wire().send(assistant({ type: 'tool_use', id: 't', name: 'Write', input }));
    assert.equal(records[0]?.message, 'Write: /a');
    assert.ok(JSON.stringify(records[0].data).length < 8000);
  });

  it("accepts a command whose words aren't strings", () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const run = wire();
    for (const command of ['["ls", 7, {"toString":1,"valueOf":1}]', `["ls", ${deep}]`]) {
      const use = `{"type":"tool_use","id":"t","name":"Bash","input":{"command":${command}}}`;
      const content = `[{"type":"text","text":"before"},${use},{"type":"text","text":"after"}]`;
      run.line(`{"type":"assistant","session_id":"s","message":{"role":"assistant","content":${content}}}`);
    }
    assert.deepEqual(run.lines, [
      'info activity agent: before',
      'info activity tool: Bash: ls 7 {"toString":1,"valueOf":1}',
      'info activity agent: after',
      'info activity agent: before',
      `info activity tool: Bash: ls ${'['.repeat(32)}[…]${']'.repeat(32)}`,
      'info activity agent: after',
    ]);
  });

  it('names the tool that a result belongs to, however often it comes', () => {
    const result = { type: 'tool_result', tool_use_id: 't', content: 'done' };
    const { lines } = wire()
      .send(assistant({ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }))
      .send(user(result))
      .send(user(result))
      .exit();
    assert.deepEqual(lines.slice(1, 3), [
      'info activity tool: Bash: ls (completed): done',
      'info activity tool: Bash: ls (completed): done',
    ]);
  });

  it('reports what was unfinished when the process ended', () => {
    const use = assistant({ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'sleep 9' } });
    assert.deepEqual(wire().send(use).exit(1).lines.slice(1), [
      'error lifecycle exited with code 1',
      'warning activity tool: Bash: sleep 9 (was not finished before the end)',
    ]);
  });

  it("shows the answer at the end of the turn if it wasn't shown before", () => {
    const result = { type: 'result', subtype: 'success', is_error: false, session_id, result: 'Four.' };
    assert.deepEqual(wire().send(result).lines, ['info activity turn: ended: Four.']);
    const said = wire()
      .send(assistant({ type: 'text', text: 'Four.' }))
      .send(result);
    assert.deepEqual(said.lines, ['info activity agent: Four.', 'info activity turn: ended']);
  });

  it("doesn't mistake an event of a later version for a log, whatever its level", () => {
    const run = wire()
      .send(assistant({ type: 'text', text: 'hello' }))
      .send({ type: 'progress', session_id, level: 1, message: 'step 1 of 3' })
      .send({ type: 'context', session_id, level: 73, message: 'full' })
      .send({ type: 'effort', session_id, level: 'low', text: 'low' })
      .send({ type: 'hint', session_id, level: 'warning', message: 'slow' });
    assert.deepEqual(run.lines.slice(1), [
      'info activity progress: {"level":1,"message":"step 1 of 3"}',
      'info activity context: {"level":73,"message":"full"}',
      'info activity effort: {"level":"low","text":"low"}',
      'warning log hint: slow',
    ]);
  });

  it("doesn't report an interrupted turn as a failure", () => {
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      session_id,
      terminal_reason: 'aborted_tools',
    };
    assert.deepEqual(wire().send(result).lines, ['notice activity turn: cancelled (aborted_tools)']);
  });

  it("doesn't report an interrupted turn as a failure even if it claims to be an error", () => {
    const result = { type: 'result', subtype: 'error_during_execution', is_error: true, session_id };
    const errors = ['[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null'];
    const interrupt = { type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } };
    const response = { subtype: 'success', request_id: 'r1' };
    const run = wire()
      .send({ ...result, errors, terminal_reason: 'aborted_streaming' })
      .send(user({ type: 'text', text: 'go on' }), 'c2a')
      .send(interrupt, 'c2a')
      .send({ type: 'control_response', response })
      .send({ ...result, errors })
      .send({ ...result, errors: ['no memory'] });
    assert.deepEqual(
      run.lines.filter((line) => line.includes('turn:')),
      [
        'notice activity turn: cancelled (aborted_streaming)',
        'notice activity turn: cancelled',
        'error activity turn: failed (error_during_execution): no memory',
      ],
    );
  });

  it("doesn't report a turn of Codex that was interrupted as a failure", () => {
    const run = wire()
      .send({ type: 'thread.started', thread_id: 'thread-1' })
      .send({ type: 'turn.started' })
      .send({ type: 'turn.failed', error: { message: 'turn interrupted' } });
    assert.equal(run.lines.at(-1), 'notice activity turn: interrupted');
  });

  it('ends the session with the turn, unless the agent takes more input', () => {
    const result = { type: 'result', subtype: 'success', session_id };
    const ended = (each: StreamWire): boolean | undefined => each.log.sessions[0]?.ended;
    assert.equal(ended(wire().send(result)), true);
    assert.equal(ended(wire().send({ ...result, queued_turn_count: 1 })), false);
    const prompt = { type: 'user', message: { role: 'user', content: 'Hello' } };
    assert.equal(ended(wire().send(prompt, 'c2a').send(result)), false);
  });

  it("titles the session by the user's first prompt, or by a summary", () => {
    const titled = wire()
      .send({ ...user({ type: 'text', text: 'not mine' }), parent_tool_use_id: 'toolu_1' })
      .send(user({ type: 'text', text: 'Fix it.' }))
      .send(user({ type: 'text', text: 'And that.' }));
    assert.equal(titled.log.sessions[0]?.title, 'Fix it.');
    titled.send({ type: 'summary', sessionId: session_id, summary: 'The fix' });
    assert.equal(titled.log.sessions[0].title, 'The fix');
  });

  it('joins chunks, and shows them after a pause', () => {
    const piece = (text: string): unknown => ({
      type: 'message',
      timestamp: '2026-11-20T12:00:00Z',
      role: 'assistant',
      content: text,
      delta: true,
    });
    const run = wire().send(piece('Hel')).send(piece('lo'));
    assert.deepEqual([run.lines, run.isWaiting], [[], true]);
    run.quiet();
    assert.deepEqual([run.lines, run.isWaiting], [['info activity agent: Hello'], false]);
    assert.deepEqual(
      [run.records[0]?.sessionId, run.records[0]?.time],
      [undefined, Date.parse('2026-11-20T12:00:00Z')],
    );
  });

  it('bounds chunked text', () => {
    const run = wire();
    const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(1000) } };
    for (let i = 0; i < 50; i++) run.send({ type: 'stream_event', session_id, event });
    run.exit();
    assert.equal(run.records[0]?.level, 'debug');
    assert.match(run.records[0].message, /^x{4096}… .*\(50000 characters in all\)$/);
  });

  it('shows control requests while they are open', () => {
    const run = wire().send({
      type: 'control_request',
      request_id: 'r1',
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'rm a' } },
    });
    assert.deepEqual(
      run.log.requests.map(({ id, method, direction }) => [id, method, direction]),
      [['r1', 'can_use_tool', 'in']],
    );
    const response = { subtype: 'success', request_id: 'r1', response: { behavior: 'deny', message: 'no' } };
    run.send({ type: 'control_response', response }, 'c2a');
    assert.deepEqual(run.log.requests, []);
    assert.deepEqual(run.lines, [
      'notice activity permission: asked for: Bash: rm a',
      'info activity permission: answered: deny after 1 ms: no',
    ]);
  });

  it('lets the sender take a control request back', () => {
    const request = { type: 'control_request', request_id: 1, request: { subtype: 'interrupt' } };
    const run = wire()
      .send(request, 'c2a')
      .send({ ...request, request: { subtype: 'can_use_tool' } });
    run.send({ type: 'control_cancel_request', request_id: 1 });
    assert.deepEqual(
      run.log.requests.map(({ direction }) => direction),
      ['out'],
    );
    assert.deepEqual(run.exit().log.requests, []);
  });

  it("keeps lines that aren't events, at their own level", () => {
    const run = wire()
      .line('Error: listen EADDRINUSE')
      .line('npm notice')
      .line('')
      .line('[1,"a"]')
      .line('{"level":40,"msg":"low on memory","free":1}')
      .line('{"a":1}')
      .line('{"type":"error","message":"no model"}')
      .accept({ t: 1, dir: 'a2c', line: '{"type":"user"', bytes: 9_000_000 });
    assert.deepEqual(run.lines, [
      'error activity stdout: Error: listen EADDRINUSE',
      'info activity stdout: npm notice',
      'info activity stdout: 1',
      'info activity stdout: "a"',
      'warning log low on memory',
      'info activity stdout: {"a":1}',
      'error activity error: no model',
      'warning activity stdout: a line of 9000000 bytes is too long to be read; it begins: {"type":"user"',
    ]);
    assert.deepEqual(run.records[4]?.data, { free: 1 });
  });

  it("reads an agent's logs and errors even if the dialect is known", () => {
    const time = Date.parse('2026-11-20T12:00:00Z');
    const starts: unknown[] = [
      { type: 'system', subtype: 'init', session_id },
      { type: 'init', timestamp: '2026-11-20T12:00:00Z', session_id, model: 'gemini-3-pro' },
      { type: 'thread.started', thread_id: 'thread-1' },
      { type: 'step_start', timestamp: time, sessionID: 'ses_3', part: {} },
    ];
    for (const start of starts) {
      const run = wire()
        .send(start)
        .send({ type: 'log', level: 'error', msg: 'disk full', time, free: 0 })
        .send({ level: 'error', msg: 'disk full', time })
        .send({ type: 'weather', rain: true })
        .send({ type: 'error', message: 'no model' })
        .line('2026-11-20T12:00:00Z ERROR http: no route');
      assert.deepEqual(run.lines.slice(1), [
        'error log disk full',
        'error log disk full',
        'info activity weather: {"rain":true}',
        'error activity error: no model',
        'error activity http: no route',
      ]);
      assert.deepEqual(
        run.records.slice(1).map((record) => record.time),
        [time, time, undefined, undefined, time],
      );
      assert.deepEqual(run.records[1]?.data, { free: 0 });
    }
    const api = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    assert.equal(wire().send(starts[0]).send(api).lines.at(-1), 'error activity error: overloaded_error: Overloaded');
  });

  it('keeps a long line with only the first of its records', () => {
    const text = 'x'.repeat(20_000);
    const { log } = wire().send(assistant({ type: 'text', text }, { type: 'text', text: 'more' }));
    assert.deepEqual([log.store.raw(1)?.length === undefined, log.store.raw(2)], [false, undefined]);
  });

  it('reads several agents in one file', () => {
    const run = wire()
      .send({ type: 'thread.started', thread_id: 'thread-1' })
      .send({ type: 'turn.started' })
      .send({ type: 'init', timestamp: '2026-11-20T12:00:00Z', session_id: 'session-2', model: 'gemini-3-pro' })
      .send({ type: 'step_start', timestamp: 1795174510262, sessionID: 'ses_3', part: {} });
    assert.deepEqual(
      run.records.map(({ sessionId, message }) => `${sessionId}: ${message}`),
      [
        'thread-1: thread started',
        'thread-1: started',
        'session-2: session started: model gemini-3-pro',
        'ses_3: started',
      ],
    );
  });
});
