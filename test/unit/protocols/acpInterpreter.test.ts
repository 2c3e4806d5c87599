import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRecord } from '../../../src/text/record';
import { AcpWire as Wire } from '../../support/acpWire';
import { holds } from '../../support/property';

describe('ACP interpreter: log', () => {
  it('reads all fields of the proposal', () => {
    const record = new Wire().logs({
      level: 'warning',
      message: 'disk is nearly full',
      sessionId: 'session-1',
      logger: 'tools',
      timestamp: '2026-11-20T12:00:00Z',
      data: { free: 1 },
      _meta: { traceparent: 'x' },
    });
    const { seq, receivedAt, ...fields } = record;
    assert.deepEqual([seq, receivedAt], [1, 1]);
    assert.deepEqual(fields, {
      time: Date.parse('2026-11-20T12:00:00Z'),
      level: 'warning',
      kind: 'log',
      sessionId: 'session-1',
      logger: 'tools',
      message: 'disk is nearly full',
      data: { free: 1 },
    });
  });

  const malformed: [string, unknown, Partial<LogRecord>][] = [
    ['no level', { message: 'm' }, { level: 'info', message: 'm' }],
    [
      'an unknown level',
      { level: 'verbose', message: 'm' },
      { level: 'info', message: 'm', data: { level: 'verbose' } },
    ],
    ['a level of the wrong type', { level: 3, message: 'm', data: 1 }, { level: 'info', data: { data: 1, level: 3 } }],
    ['no message', { level: 'error' }, { level: 'error', message: '(no message)' }],
    ['a message that is an object', { message: { a: 1 } }, { message: '{"a":1}' }],
    [
      'a timestamp that is none',
      { message: 'm', timestamp: 'yesterday' },
      { message: 'm', data: { timestamp: 'yesterday' } },
    ],
    ['a session id of the wrong type', { message: 'm', sessionId: 7 }, { message: 'm', data: { sessionId: 7 } }],
    ['a field of its own', { message: 'm', code: 'E1' }, { message: 'm', data: { code: 'E1' } }],
    ['parameters that are a list', ['a', 1], { level: 'info', message: '["a",1]' }],
    ['no parameters', undefined, { level: 'info', message: 'null' }],
  ];
  for (const [what, params, expected] of malformed) {
    it(`keeps a log message with ${what}`, () => {
      const record = new Wire().logs(params);
      assert.equal(record.kind, 'log');
      for (const [name, value] of Object.entries(expected)) {
        assert.deepEqual(record[name as keyof LogRecord], value, name);
      }
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
    assert.equal(wire.log.connection.counts.info, 1);
    assert.deepEqual(
      wire.log.sessions.map(({ id, counts }) => [id, counts.info]),
      [['nobody announced me', 1]],
    );
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
    const chunk = (text: string, messageId?: string): Record<string, unknown> => ({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text },
      ...(messageId !== undefined && { messageId }),
    });
    const wire = new Wire()
      .update(chunk('Hello '))
      .update({ sessionUpdate: 'usage_update', used: 1, size: 2 })
      .update(chunk('there.'))
      .update({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'ls', status: 'pending' })
      .update(chunk('One', 'a'))
      .update(chunk('Two', 'b'))
      .exit();
    assert.deepEqual(
      wire.lines.filter((line) => line.includes('agent:') || line.includes('tool:')),
      [
        'info [session-1] agent: Hello there.',
        'info [session-1] tool: ls (pending)',
        'info [session-1] agent: One',
        'info [session-1] agent: Two',
      ],
    );
  });

  it('reads the text of messages and tools from other content shapes', () => {
    const chunk = (content: unknown, messageId: string): Record<string, unknown> => ({
      sessionUpdate: 'agent_message_chunk',
      content,
      messageId,
    });
    const wire = new Wire()
      .update(chunk('plain text', 'a'))
      .update(
        chunk(
          [
            { type: 'text', text: 'plain' },
            { type: 'image', data: 'AAAA' },
          ],
          'b',
        ),
      )
      .update(chunk({ text: 'untyped' }, 'c'))
      .update({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'ls', content: 'a.txt' });
    assert.deepEqual(wire.lines, [
      'info [session-1] agent: plain text',
      'info [session-1] agent: plain (image)',
      'info [session-1] agent: untyped',
      'info [session-1] tool: ls : a.txt',
    ]);
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
    for (let i = 0; i < 100; i++) {
      wire.chunk('x'.repeat(1000));
    }
    wire.exit();
    assert.match(wire.lines[0] ?? '', /… \(100000 characters in all\)$/);
    assert.ok((wire.lines[0]?.length ?? 0) < 20_000);
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
    assert.deepEqual(
      wire.log.requests.map(({ method, direction, sessionId }) => [method, direction, sessionId]),
      [['session/prompt', 'out', 's']],
    );
    wire.answer(1, { stopReason: 'end_turn' });
    assert.deepEqual(wire.log.requests, []);
    assert.deepEqual(wire.lines, ['info [s] prompt: Hi', 'info [s] turn: ended after 1 ms: end_turn']);
  });

  it('distinguishes request IDs by type and direction', () => {
    const wire = new Wire()
      .ask(1, 'session/list')
      .send('a2c', { id: 1, method: 'fs/read_text_file', params: { sessionId: 's', path: '/x' } })
      .answer('1');
    assert.equal(wire.log.requests.length, 2);
    assert.match(wire.lines.at(-1) ?? '', /^warning \[\] stdout: an answer to no open request \(id "1"\)$/);
    wire.answer(1, { sessions: [] });
    assert.deepEqual(
      wire.log.requests.map(({ method }) => method),
      ['fs/read_text_file'],
    );
  });

  it('chooses the level of an error by its method and code', () => {
    const levelOf = (method: string, code: number): string => {
      const wire = new Wire().ask(1, method, {}).refuse(1, code, 'm');
      return wire.lines[0]?.split(' ')[0] ?? '';
    };
    assert.deepEqual(
      [
        levelOf('session/new', -32603),
        levelOf('session/new', -32000),
        levelOf('session/list', -32800),
        levelOf('logging/setLevel', -32601),
      ],
      ['error', 'warning', 'info', 'debug'],
    );
  });

  it('reports unanswered requests when the agent ends', () => {
    const wire = new Wire().ask(1, 'session/prompt', { sessionId: 's', prompt: [] }).exit();
    assert.deepEqual(wire.lines.slice(1), [
      'error [] exited with code 1',
      'error [s] turn: was never answered (open for 1 ms)',
    ]);
    assert.deepEqual(wire.log.requests, []);
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
    assert.equal(wire.log.requests.length, 1);
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
