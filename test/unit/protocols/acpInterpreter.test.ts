import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRecord } from '../../../src/text/record';
import { AcpWire as Wire } from '../../support/acpWire';
import { column, rowsOf } from '../../support/columns';
import { holds } from '../../support/property';

describe('ACP interpreter: log', () => {
  it('reads all fields of the proposal', () => {
    const same = { level: 'warning', message: 'full', sessionId: 'session-1', logger: 'tools', data: { free: 1 } };
    const timestamp = '2026-11-20T12:00:00Z';
    const record = new Wire().logs({ ...same, timestamp, _meta: { traceparent: 'x' } });
    assert.deepEqual(record, { ...same, seq: 1, receivedAt: 1, kind: 'log', time: Date.parse(timestamp) });
  });

  const malformed: [string, unknown, Partial<LogRecord>][] = [
    ['no level', { message: 'm' }, { level: 'info', message: 'm' }],
    ['an unknown level', { level: 'verbose', message: 'm' }, { level: 'info', data: { level: 'verbose' } }],
    ['a level of the wrong type', { level: 3, message: 'm', data: 1 }, { level: 'info', data: { data: 1, level: 3 } }],
    ['no message', { level: 'error' }, { level: 'error', message: '(no message)' }],
    ['a message that is an object', { message: { a: 1 } }, { message: '{"a":1}' }],
    ['a timestamp that is none', { message: 'm', timestamp: 'yesterday' }, { data: { timestamp: 'yesterday' } }],
    ['a session id of the wrong type', { message: 'm', sessionId: 7 }, { message: 'm', data: { sessionId: 7 } }],
    ['a field of its own', { message: 'm', code: 'E1' }, { message: 'm', data: { code: 'E1' } }],
    ['parameters that are a list', ['a', 1], { level: 'info', message: '["a",1]' }],
    ['no parameters', undefined, { level: 'info', message: 'null' }],
  ];
  for (const [what, params, expected] of malformed) {
    it(`keeps a log message with ${what}`, () => {
      const record = new Wire().logs(params);
      assert.deepEqual({ ...record, ...expected, kind: 'log' }, record);
    });
  }

  it("accepts log messages as an extension method, and in PostHog's form", () => {
    for (const method of ['_agent-logs/log', '_posthog/console', '__posthog/console']) {
      const record = new Wire().logs({ sessionId: 's', level: 'warn', message: 'm' }, method);
      assert.deepEqual([record.kind, record.level, record.sessionId], ['log', 'warning', 's']);
    }
  });

  it('files records without a session under the connection, and those of an unannounced session under its ID', () => {
    const wire = new Wire();
    wire.logs({ message: 'early' });
    wire.logs({ message: 'stray', sessionId: 'nobody announced me' });
    const [session, ...others] = wire.log.sessions;
    assert.deepEqual(
      [session?.id, session?.counts.info, wire.log.connection.counts.info],
      ['nobody announced me', 1, 1],
    );
    assert.deepEqual(others, []);
  });

  holds(
    'loses no record, whatever the parameters',
    100,
    fc.property(fc.jsonValue(), (params) => {
      assert.equal(new Wire().logs(params).kind, 'log');
    }),
  );
});

describe('ACP interpreter: updates', () => {
  it('shows a notice at its severity, and keeps one with an unknown severity', () => {
    const wire = new Wire()
      .update({ sessionUpdate: 'notice', severity: 'error', title: 'No key', description: 'Set one.' })
      .update({ sessionUpdate: 'notice', severity: 'celebration', title: 'Done' });
    assert.deepEqual(wire.lines, ['error [session-1] No key: Set one.', 'notice [session-1] Done']);
    assert.deepEqual(wire.log.store.query({ kinds: ['notice'] })[1]?.data, { severity: 'celebration' });
  });

  it('joins the chunks of a message across usage updates, but not across a tool call', () => {
    const wire = new Wire()
      .chunk('Hello ')
      .update({ sessionUpdate: 'usage_update', used: 1, size: 2 })
      .chunk('there.')
      .update({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'ls', status: 'pending' })
      .chunk('One', { messageId: 'a' })
      .chunk('Two', { messageId: 'b' })
      .exit();
    const said = wire.told.filter((line) => /agent:|tool:/.test(line));
    assert.deepEqual(said, [
      'info agent: Hello there.',
      'info tool: ls (pending)',
      'info agent: One',
      'info agent: Two',
    ]);
  });

  it('reads the text of messages and tools from other content shapes', () => {
    const parts = [{ type: 'text', text: 'plain' }, { type: 'image' }];
    for (const [content, text] of [
      ['plain text', 'plain text'],
      [parts, 'plain (image)'],
      [{ text: 'a' }, 'a'],
    ] as const) {
      const wire = new Wire().update({ sessionUpdate: 'agent_message_chunk', content, messageId: 'a' }).exit();
      assert.equal(wire.told[0], `info agent: ${text}`);
    }
    const call = { sessionUpdate: 'tool_call', toolCallId: '1', title: 'ls', content: 'a.txt' };
    assert.deepEqual(new Wire().update(call).told, ['info tool: ls : a.txt']);
  });

  it('distinguishes tool calls with the same ID in different sessions', () => {
    const call = { sessionUpdate: 'tool_call', toolCallId: 'call_0' };
    const wire = new Wire()
      .update({ ...call, title: 'npm test' })
      .update({ ...call, title: 'rm -rf build' }, 'session-2')
      .update({ sessionUpdate: 'tool_call_update', toolCallId: 'call_0', status: 'completed' });
    assert.equal(wire.lines.at(-1), 'info [session-1] tool: npm test (completed)');
  });

  it('cuts a long message, and reports its length', () => {
    const wire = new Wire();
    for (let i = 0; i < 100; i++) wire.chunk('x'.repeat(1000));
    assert.match(wire.exit().lines[0] ?? '', /^.{0,20000}… \(100000 characters in all\)$/);
  });

  it('keeps unknown updates, notifications and requests', () => {
    const wire = new Wire()
      .update({ sessionUpdate: '_mood', mood: 'good' })
      .tell('_x/weather', { rain: true })
      .send('a2c', { id: 'r1', method: '_x/ask', params: [1] })
      .send('c2a', { id: 'r1', error: { code: -32601, message: 'Unhandled method _x/ask' } });
    assert.deepEqual(wire.lines, [
      'info [session-1] _mood: {"mood":"good"}',
      'info [] _x/weather: {"rain":true}',
      'debug [] _x/ask: asked by the agent [1]',
      'info [] _x/ask: refused after 1 ms: Unhandled method _x/ask (-32601)',
    ]);
  });
});

describe('ACP interpreter: requests', () => {
  it('tracks open requests, and how long an answer took', () => {
    const wire = new Wire().ask(1, 'session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: 'Hi' }] });
    assert.deepEqual(rowsOf(wire.log.requests, 'method', 'direction', 'sessionId'), ['session/prompt out s']);
    wire.answer(1, { stopReason: 'end_turn' });
    assert.deepEqual(wire.open, []);
    assert.deepEqual(wire.lines, ['info [s] prompt: Hi', 'info [s] turn: ended after 1 ms: end_turn']);
  });

  it('distinguishes request IDs by type and direction', () => {
    const wire = new Wire()
      .ask(1, 'session/list')
      .send('a2c', { id: 1, method: 'fs/read_text_file', params: { sessionId: 's', path: '/x' } })
      .answer('1');
    assert.deepEqual(column(wire.log.requests, 'method'), ['session/list', 'fs/read_text_file']);
    assert.equal(wire.lines.at(-1), 'warning [] stdout: an answer to no open request (id "1")');
    wire.answer(1, { sessions: [] });
    assert.deepEqual(column(wire.log.requests, 'method'), ['fs/read_text_file']);
  });

  it('chooses the level of an error by its method and code', () => {
    for (const [method, code, level] of [
      ['session/new', -32603, 'error'],
      ['session/new', -32000, 'warning'],
      ['session/list', -32800, 'info'],
      ['logging/setLevel', -32601, 'debug'],
    ] as const) {
      assert.ok(new Wire().ask(1, method, {}).refuse(1, code, 'm').lines[0]?.startsWith(`${level} `), method);
    }
  });

  it('reports unanswered requests when the agent ends', () => {
    const wire = new Wire().ask(1, 'session/prompt', { sessionId: 's', prompt: [] }).exit();
    assert.deepEqual(wire.lines.slice(1), [
      'error [] exited with code 1',
      'error [s] turn: was never answered (open for 1 ms)',
    ]);
    assert.deepEqual(wire.open, []);
  });

  it("keeps a client's answer to an unknown request", () => {
    const wire = new Wire()
      .send('a2c', { id: 5, method: 'session/request_permission', params: { sessionId: 's', options: [] } })
      .send('c2a', { id: '5', result: { outcome: { outcome: 'cancelled' } } })
      .send('c2a', { id: null, error: { code: -32700, message: 'Parse error' } });
    assert.deepEqual(wire.lines.slice(1), [
      'info [] stdin: an answer to no open request (id "5")',
      'info [] stdin: an error (Parse error) to no open request (id null)',
    ]);
    assert.deepEqual(wire.open, [5]);
  });

  it('keeps junk on stdout, and describes it', () => {
    const wire = new Wire()
      .accept({ t: 1, dir: 'a2c', line: 'Loading model…' })
      .accept({ t: 1, dir: 'a2c', line: 'xxxx', bytes: 9_000_000 })
      .send('a2c', 'text')
      .send('a2c', {})
      .refuse(9, 1, 'late');
    assert.deepEqual(wire.lines, [
      'warning [] stdout: not JSON, where ACP has one JSON-RPC message to a line: Loading model…',
      'warning [] stdout: a line of 9000000 bytes is too long to be read; it begins: xxxx',
      'warning [] stdout: not a JSON-RPC message: "text"',
      'warning [] stdout: not a JSON-RPC message: {}',
      'warning [] stdout: an error (late) to no open request (id 9)',
    ]);
  });
});
