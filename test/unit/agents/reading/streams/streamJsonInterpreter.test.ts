import assert from 'node:assert/strict';
import { streamed } from '../../../../support/streamWire';
import type { StreamWire } from '../../../../support/streamWire';
import { RunLog } from '../../../../../src/runLog/runLog';
import { RecordStore } from '../../../../../src/store/store';
import { StreamJsonInterpreter } from '../../../../../src/agents/reading/streams/streamJsonInterpreter';

const session_id = '11111111-2222-4333-8444-555555555555';
const at = '2026-11-20T12:00:00Z';

const assistant = (...content: unknown[]): object => ({
  ...{ type: 'assistant', session_id },
  message: { role: 'assistant', content },
});
const user = (...content: unknown[]): object => ({ type: 'user', session_id, message: { role: 'user', content } });
const text = (words: string): object => ({ type: 'text', text: words });
const use = (id: string, name = 'Bash', input: object = { command: 'ls' }): object =>
  assistant({ type: 'tool_use', id, name, input });
const used = (id: string): object => user({ type: 'tool_result', tool_use_id: id, content: 'done' });
const result = { type: 'result', subtype: 'success', is_error: false, session_id };

describe('stream-json interpreter', () => {
  it('keeps the beginning of a long text, and says how much is missing', () => {
    const long = 'x'.repeat(100_000);
    const { records, log } = streamed(assistant(text(long)));
    assert.equal(records[0]?.message, `${'x'.repeat(4096)}… (95904 more characters)`);
    assert.equal(log.store.raw(1)?.includes(long), true);
  });

  it('reports what a pause completed before later events, with or without quiet', () => {
    const told = (isQuiet: boolean): string[] => {
      const log = new RunLog(new RecordStore(1e6), 0);
      const interpreter = new StreamJsonInterpreter({ sink: log, work: log.work });
      const delta = { type: 'message', timestamp: at, role: 'assistant', content: 'piece', delta: true };
      for (const [t, msg] of [{ type: 'init', timestamp: at, session_id, model: 'gemini-3-pro' }, delta].entries()) {
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
    const list = new Array(1000).fill({ deep: [[[[[[1]]]]]] });
    const { records } = streamed(use('t', 'Write', { file_path: '/a', content: 'x'.repeat(100_000), list }));
    assert.equal(records[0]?.message, 'Write: /a');
    assert.ok(JSON.stringify(records[0].data).length < 8000);
  });

  it("accepts a command whose words aren't strings", () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    for (const [command, shown] of [
      ['["ls", 7, {"toString":1,"valueOf":1}]', 'ls 7 {"toString":1,"valueOf":1}'],
      [`["ls", ${deep}]`, `ls ${'['.repeat(32)}[…]${']'.repeat(32)}`],
    ] as const) {
      const call = `{"type":"tool_use","id":"t","name":"Bash","input":{"command":${command}}}`;
      const content = `[{"type":"text","text":"before"},${call},{"type":"text","text":"after"}]`;
      const line = `{"type":"assistant","session_id":"s","message":{"role":"assistant","content":${content}}}`;
      const [before, tool, after] = streamed().line(line).lines;
      assert.deepEqual([before, after], ['info activity agent: before', 'info activity agent: after']);
      assert.equal(tool, `info activity tool: Bash: ${shown}`);
    }
  });

  it('names the tool that a result belongs to, however often it comes', () => {
    const { lines } = streamed(use('t'), used('t'), used('t')).exit();
    const done = 'info activity tool: Bash: ls (completed): done';
    assert.deepEqual(lines.slice(1, 3), [done, done]);
  });

  it('finds a running call however many others have started since', () => {
    const run = streamed(use('first', 'Task', {}));
    for (let n = 0; n < 600; n++) run.sends(use(`t${n}`, 'Task', {}), used(`t${n}`));
    assert.equal(run.send(used('first')).lines.at(-1), 'info activity tool: Task (completed): done');
    assert.equal(run.log.spans().filter(({ kind }) => kind === 'tool').length, 601);
  });

  it('reports what was unfinished when the process ended', () => {
    const { lines } = streamed(use('t', 'Bash', { command: 'sleep 9' })).exit(1);
    const unfinished = 'warning activity tool: Bash: sleep 9 (was not finished before the end)';
    assert.deepEqual(lines.slice(1), ['error lifecycle exited with code 1', unfinished]);
  });

  it("shows the answer at the end of the turn if it wasn't shown before", () => {
    const answered = { ...result, result: 'Four.' };
    assert.deepEqual(streamed(answered).lines, ['info activity turn: ended: Four.']);
    const said = streamed(assistant(text('Four.')), answered);
    assert.deepEqual(said.lines, ['info activity agent: Four.', 'info activity turn: ended']);
  });

  it("doesn't mistake an event of a later version for a log, whatever its level", () => {
    const run = streamed(
      assistant(text('hello')),
      { type: 'progress', session_id, level: 1, message: 'step 1 of 3' },
      { type: 'context', session_id, level: 73, message: 'full' },
      { type: 'effort', session_id, level: 'low', text: 'low' },
      { type: 'hint', session_id, level: 'warning', message: 'slow' },
    );
    assert.deepEqual(run.lines.slice(1), [
      'info activity progress: {"level":1,"message":"step 1 of 3"}',
      'info activity context: {"level":73,"message":"full"}',
      'info activity effort: {"level":"low","text":"low"}',
      'warning log hint: slow',
    ]);
  });

  it('ends the session with the turn, unless the agent takes more input', () => {
    const ended = (each: StreamWire): boolean | undefined => each.log.sessions[0]?.ended;
    assert.equal(ended(streamed(result)), true);
    assert.equal(ended(streamed({ ...result, queued_turn_count: 1 })), false);
    const prompt = { type: 'user', message: { role: 'user', content: 'Hello' } };
    assert.equal(ended(streamed().send(prompt, 'c2a').send(result)), false);
  });

  it("titles the session by the user's first prompt, or by a summary", () => {
    const inner = { ...user(text('not mine')), parent_tool_use_id: 'toolu_1' };
    const titled = streamed(inner, user(text('Fix it.')), user(text('And that.')));
    assert.equal(titled.log.sessions[0]?.title, 'Fix it.');
    titled.send({ type: 'summary', sessionId: session_id, summary: 'The fix' });
    assert.equal(titled.log.sessions[0].title, 'The fix');
  });

  it('joins chunks, and shows them after a pause', () => {
    const piece = { type: 'message', timestamp: at, role: 'assistant', delta: true };
    const run = streamed({ ...piece, content: 'Hel' }, { ...piece, content: 'lo' });
    assert.deepEqual([run.lines, run.isWaiting], [[], true]);
    run.quiet();
    assert.deepEqual([run.lines, run.isWaiting], [['info activity agent: Hello'], false]);
    assert.deepEqual([run.records[0]?.sessionId, run.records[0]?.time], [undefined, Date.parse(at)]);
  });

  it('bounds chunked text', () => {
    const run = streamed();
    const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(1000) } };
    for (let i = 0; i < 50; i++) run.send({ type: 'stream_event', session_id, event });
    run.exit();
    assert.equal(run.records[0]?.level, 'debug');
    assert.match(run.records[0].message, /^x{4096}… .*\(50000 characters in all\)$/);
  });

  it('shows control requests while they are open, also if their sender takes one back', () => {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'rm a' } };
    const run = streamed({ type: 'control_request', request_id: 'r1', request });
    const open = (): string[] => run.log.requests.map(({ id, method, direction }) => `${id} ${method} ${direction}`);
    assert.deepEqual(open(), ['r1 can_use_tool in']);
    const response = { subtype: 'success', request_id: 'r1', response: { behavior: 'deny', message: 'no' } };
    run.send({ type: 'control_response', response }, 'c2a');
    assert.deepEqual(open(), []);
    assert.deepEqual(run.lines, [
      'notice activity permission: asked for: Bash: rm a',
      'info activity permission: answered: deny after 1 ms: no',
    ]);
    const interrupt = { type: 'control_request', request_id: 1, request: { subtype: 'interrupt' } };
    run
      .send(interrupt, 'c2a')
      .send({ ...interrupt, request })
      .send({ type: 'control_cancel_request', request_id: 1 });
    assert.deepEqual(open(), ['1 interrupt out']);
    run.exit();
    assert.deepEqual(open(), []);
  });

  it("keeps lines that aren't events, at their own level", () => {
    const own: readonly (readonly [line: string, shown?: string])[] = [
      ['Error: listen EADDRINUSE', 'error activity stdout: Error: listen EADDRINUSE'],
      ['npm notice', 'info activity stdout: npm notice'],
      [''],
      ['[1]', 'info activity stdout: 1'],
      ['{"level":40,"msg":"low on memory","free":1}', 'warning log low on memory'],
      ['["a"]', 'info activity stdout: "a"'],
      ['{"a":1}', 'info activity stdout: {"a":1}'],
      ['{"type":"error","message":"no model"}', 'error activity error: no model'],
    ];
    const run = own.reduce((wire, [line]) => wire.line(line), streamed());
    run.accept({ t: 1, dir: 'a2c', line: '{"type":"user"', bytes: 9_000_000 });
    const long = 'a line of 9000000 bytes is too long to be read; it begins: {"type":"user"';
    assert.deepEqual(run.lines, [...own.flatMap(([, shown]) => shown ?? []), `warning activity stdout: ${long}`]);
    assert.deepEqual(run.records[3]?.data, { free: 1 });
    assert.equal(streamed().line('[1,"a"]').lines.length, 2);
  });

  it("reads an agent's logs and errors even if the dialect is known", () => {
    const time = Date.parse(at);
    const starts: unknown[] = [
      { type: 'system', subtype: 'init', session_id },
      { type: 'init', timestamp: at, session_id, model: 'gemini-3-pro' },
      { type: 'thread.started', thread_id: 'thread-1' },
      { type: 'step_start', timestamp: time, sessionID: 'ses_3', part: {} },
    ];
    for (const start of starts) {
      const log = { level: 'error', msg: 'disk full', time };
      const run = streamed(start, { type: 'log', ...log, free: 0 }, log, { type: 'weather', rain: true });
      run.send({ type: 'error', message: 'no model' }).line(`${at} ERROR http: no route`);
      assert.deepEqual(run.lines.slice(1), [
        'error log disk full',
        'error log disk full',
        'info activity weather: {"rain":true}',
        'error activity error: no model',
        'error activity http: no route',
      ]);
      const times = run.records.slice(1).map((record) => record.time);
      assert.deepEqual(times, [time, time, undefined, undefined, time]);
      assert.deepEqual(run.records[1]?.data, { free: 0 });
    }
    const api = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    assert.equal(streamed(starts[0], api).lines.at(-1), 'error activity error: overloaded_error: Overloaded');
  });

  it('keeps a long line with only the first of its records', () => {
    const { log } = streamed(assistant(text('x'.repeat(20_000)), text('more')));
    assert.deepEqual([log.store.raw(1)?.length === undefined, log.store.raw(2)], [false, undefined]);
  });

  it('reads several agents in one file', () => {
    const run = streamed(
      { type: 'thread.started', thread_id: 'thread-1' },
      { type: 'turn.started' },
      { type: 'init', timestamp: at, session_id: 'session-2', model: 'gemini-3-pro' },
      { type: 'step_start', timestamp: 1795174510262, sessionID: 'ses_3', part: {} },
    );
    const told = run.records.map(({ sessionId, message }) => `${sessionId}: ${message}`);
    const second = 'session-2: session started: model gemini-3-pro';
    assert.deepEqual(told, ['thread-1: thread started', 'thread-1: started', second, 'ses_3: started']);
  });

  it('reads an event of an unknown agent once, and keeps what only looks like a known one', () => {
    const { records } = streamed(
      { type: 'message', role: 'assistant', content: 'A third one' },
      { type: 'assistant', text: 'Hello from nowhere' },
      { type: 'text', text: 'Another greeting' },
    );
    const texts = records.map(({ message }) => message).join('\n');
    for (const greeting of ['Hello from nowhere', 'Another greeting', 'A third one']) {
      assert.equal(texts.split(greeting).length, 2, `${greeting}: ${texts}`);
    }
  });
});
