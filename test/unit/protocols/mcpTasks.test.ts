import assert from 'node:assert/strict';
import { McpWire as Wire } from '../../support/mcpWire';

/** Calls a tool whose answer is a task. */
function started(state: object = {}, name = 'build', id: unknown = 3): Wire {
  return call(new Wire(), state, name, id);
}

function call(wire: Wire, state: object, name: string, id: unknown): Wire {
  const task = { taskId: 'task-1', status: 'working', ttlMs: 60_000, ...state };
  return wire.call(id, name).answer(id, { content: [], resultType: 'task', ...task });
}

function poll(wire: Wire, state: object, id: unknown = 90): Wire {
  const task = { taskId: 'task-1', status: 'working', ttlMs: 60_000, ...state };
  return ask(wire, 'get', { taskId: task.taskId }, { resultType: 'complete', ...task }, id);
}

function ask(wire: Wire, what: string, params: object, result: object, id: unknown = 91): Wire {
  return wire.ask(id, `tasks/${what}`, { taskId: 'task-1', ...params }, result);
}

function spans(wire: Wire): string[] {
  return wire.log.spans().map(({ kind, title, outcome, detail }) => [kind, title, outcome, detail].join(' | '));
}

const done = { status: 'completed', result: { content: [{ type: 'text', text: 'Built.' }] } };
const question = { method: 'elicitation/create', params: { message: 'Which name?' } };
const asking = { status: 'input_required', inputRequests: { name: question } };

describe('MCP tasks', () => {
  it('does not repeat equal states, and limits new messages to one per second', () => {
    const wire = started();
    for (let n = 0; n < 100; n++) poll(wire, { statusMessage: 'Compiling' });
    for (let n = 0; n < 100; n++) poll(wire, { statusMessage: `${n} %` });
    assert.deepEqual(wire.lines.slice(2), ['debug [] tool: build: working: Compiling']);
    assert.equal(wire.log.requests[0]?.progress?.message, '99 %');
  });

  it('takes the state from notifications of both revisions', () => {
    for (const method of ['notifications/tasks', 'notifications/tasks/status']) {
      const wire = started();
      const params = { taskId: 'task-1', status: 'working', statusMessage: 'Half' };
      wire.tell(method, params).tell(method, { ...params, ...done });
      const lines = ['debug [] tool: build: working: Half', 'info [] tool: build: done in 3 ms: Built.'];
      assert.deepEqual(wire.lines.slice(2), lines);
      assert.deepEqual(wire.open, []);
    }
  });

  it('reports how the task ended, not how its polls did', () => {
    const result = { content: [{ type: 'text', text: 'Error 2' }], isError: true };
    const error = { code: -32603, message: 'No disk' };
    for (const [state, level, line, end] of [
      [{ status: 'completed', result }, 'notice', 'failed after 3 ms: Error 2', 'error | Error 2'],
      [{ status: 'failed', error }, 'error', 'failed after 3 ms: No disk (-32603)', 'error | No disk'],
      [{ status: 'failed', statusMessage: 'No disk' }, 'error', 'failed after 3 ms: No disk', 'error | No disk'],
      [
        { status: 'cancelled', statusMessage: 'Bye' },
        'info',
        'cancelled by the server after 3 ms: Bye',
        'cancelled | ',
      ],
    ] as const) {
      const wire = poll(started(), state);
      assert.equal(wire.lines.at(-1), `${level} [] tool: build: ${line}`);
      assert.equal(spans(wire)[0], `tool | build | ${end}`);
      const { length } = wire.lines;
      poll(poll(wire, state), state);
      assert.equal(wire.lines.length, length);
      assert.deepEqual(wire.open, []);
    }
  });

  it('reads the result of 2025-11-25, which follows the end', () => {
    const wire = new Wire().call(3, 'build').answer(3, { task: { taskId: 'task-1', status: 'working' } });
    ask(wire, 'get', {}, { taskId: 'task-1', status: 'completed' });
    assert.equal(spans(wire)[0], 'tool | build | ok | ');
    ask(wire.wait(500), 'result', {}, { content: [{ type: 'text', text: 'No space left' }], isError: true });
    assert.equal(spans(wire)[0], 'tool | build | error | No space left');
    assert.deepEqual(wire.lines.slice(2), [
      'info [] tool: build: task completed after 3 ms',
      'notice [] tool: build: failed after 3 ms: No space left',
    ]);
  });

  it('ends with tasks/result, if nothing else said so', () => {
    const wire = ask(started(), 'result', {}, { content: [{ type: 'text', text: 'Built.' }] });
    assert.equal(wire.lines.at(-1), 'info [] tool: build: done in 3 ms: Built.');
    assert.deepEqual(wire.log.requests, []);
  });

  it('is over when its cancellation is answered', () => {
    const wire = ask(started(), 'cancel', {}, { resultType: 'complete' });
    assert.deepEqual(wire.lines.slice(2, 4), [
      'info [] tasks/cancel: build: asked to cancel its task',
      'info [] tool: build: cancelled after 3 ms',
    ]);
    assert.equal(spans(wire)[0], 'tool | build | cancelled | ');
    poll(wire, done);
    assert.equal(spans(wire)[0], 'tool | build | cancelled | ');
  });

  it('goes on if the answer to its cancellation says so, or with notifications/cancelled', () => {
    const wire = ask(started(), 'cancel', {}, { taskId: 'task-1', status: 'working', statusMessage: 'Stopping' });
    wire.send('c2a', { method: 'notifications/cancelled', params: { requestId: 3 } });
    assert.match(wire.lines.at(-1) ?? '', /request 3 is cancelled, which goes on as a task/);
    assert.equal(wire.log.requests.length, 1);
    poll(wire, { status: 'cancelled' });
    assert.equal(wire.lines.at(-1), 'info [] tool: build: cancelled after 6 ms');
  });

  it('has failed if the server forgets it', () => {
    const forgets = (wire: Wire, error: object): Wire =>
      wire.ask(9, 'tasks/get', { taskId: 'task-1' }).send('a2c', { id: 9, error });
    const expired = forgets(started().wait(70_000), { code: -32602, message: 'Task has expired' });
    const why = 'because its task expired: Task has expired (-32602)';
    assert.equal(expired.lines.at(-1), `error [] tool: build: failed after 1 min 10 s, ${why}`);
    assert.equal(spans(expired)[0], 'tool | build | error | Task has expired');
    const unknown = forgets(started(), { code: -32001, message: 'Unknown task task-1' });
    assert.match(unknown.lines.at(-1) ?? '', /because its task is no longer known: Unknown task task-1 \(-32001\)$/);
    const busy = forgets(started(), { code: -32603, message: 'Busy' });
    assert.equal(busy.lines.at(-1), 'error [] tasks/get: build: failed after 1 ms: Busy (-32603)');
    assert.equal(busy.log.requests.length, 1);
  });

  it('asks the user once for each key', () => {
    const wire = poll(poll(started(), asking), asking);
    ask(wire, 'update', { inputResponses: { name: { action: 'decline' } } }, { resultType: 'complete' });
    poll(poll(wire, asking), { statusMessage: 'Going on' });
    poll(wire, done);
    assert.deepEqual(wire.lines.slice(2), [
      'notice [] elicitation: build: asked: Which name?',
      'info [] tasks/update: build: answered: decline',
      'debug [] tasks/update: build: answered in 1 ms',
      'debug [] tool: build: working: Going on',
      'info [] tool: build: done in 13 ms: Built.',
    ]);
  });

  it('knows the outcome of a question only if it knows the answer', () => {
    const outcomes = { accept: 'ok', decline: 'refused', cancel: 'cancelled', postpone: 'unknown' };
    for (const [action, outcome] of Object.entries(outcomes)) {
      const wire = poll(started(), asking);
      ask(wire, 'update', { inputResponses: { name: { action } } }, { resultType: 'complete' });
      const questions = spans(wire).filter((span) => span.startsWith('permission'));
      assert.deepEqual(questions, [`permission | Which name? | ${outcome} | `]);
    }
  });

  it('leaves no question open when the task ends', () => {
    const wire = poll(poll(started(), asking), { status: 'failed', error: { message: 'Too late' } });
    const open = wire.log.spans().filter(({ endedAt, kind }) => kind !== 'request' && endedAt === undefined);
    assert.deepEqual(open, []);
  });

  it('tells tasks apart', () => {
    const wire = call(call(new Wire(), { taskId: 'one' }, 'test', 1), { taskId: 'two' }, 'lint', 2);
    poll(wire, { taskId: 'two', ...done });
    assert.deepEqual(wire.open, [1]);
    assert.equal(wire.lines.at(-1), 'info [] tool: lint: done in 3 ms: Built.');
    wire.exit();
    assert.match(wire.lines.at(-1) ?? '', /^error \[\] tool: test: its task had not ended \(open for 6 ms\)$/);
  });

  it('shows tasks of earlier connections', () => {
    const id = '786512e2-9e0d-44bd-8f29-789f320fe840';
    const wire = poll(poll(new Wire(), { taskId: id }), { taskId: id });
    poll(wire, { taskId: id, status: 'failed', statusMessage: 'The worker died' });
    const lines = ['debug [] task: …320fe840 working', 'error [] task: …320fe840 failed: The worker died'];
    assert.deepEqual(wire.lines, lines);
  });

  it('follows tasks of the client', () => {
    const wire = new Wire()
      .send('a2c', { id: 1, method: 'sampling/createMessage', params: { messages: [] } })
      .send('c2a', { id: 1, result: { task: { taskId: 'c', status: 'working' } } });
    assert.equal(wire.lines.at(-1), 'info [] sampling: runs as task c (working)');
    assert.equal(wire.log.requests.length, 1);
    wire
      .send('a2c', { id: 2, method: 'tasks/result', params: { taskId: 'c' } })
      .send('c2a', { id: 2, result: { model: 'm', content: { type: 'text', text: 'Short.' } } });
    assert.equal(wire.lines.at(-1), 'info [] sampling: answered by m (after 3 ms): Short.');
    assert.deepEqual(wire.log.requests, []);
  });

  it('keeps progress by token, and nothing else of a request that went on', () => {
    const wire = new Wire().call(3, 'build', 'token');
    wire.answer(3, { task: { taskId: 'task-1', status: 'working' } });
    wire.progress({ progressToken: 'token', progress: 1, total: 2, message: 'Half' });
    assert.deepEqual(wire.progresses, [{ progress: 1, total: 2, message: 'Half' }]);
    poll(wire, done);
    assert.deepEqual(wire.log.requests, []);
  });

  it('bounds how many tasks it follows, and their texts', () => {
    const wire = new Wire();
    for (let n = 0; n < 1100; n++) call(wire, { taskId: `task ${n}`, statusMessage: 'x'.repeat(5000) }, 'build', n);
    assert.equal(wire.log.requests.length, 1000);
    const { progress, taskId = '' } = call(wire, { taskId: 'y'.repeat(1e6) }, 'build', 5000).log.requests.at(-1) ?? {};
    assert.ok(taskId.length <= 200);
    assert.ok((progress?.message?.length ?? 0) <= 200);
  });
});
