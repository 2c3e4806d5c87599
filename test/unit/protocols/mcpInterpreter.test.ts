import assert from 'node:assert/strict';
import type { LogRecord } from '../../../src/text/record';
import { McpWire as Wire } from '../../support/mcpWire';

describe('MCP interpreter: logs', () => {
  const messages: [string, unknown, Partial<LogRecord>][] = [
    ['text', { level: 'notice', data: 'm' }, { level: 'notice', message: 'm' }],
    ['an object with a message', { level: 'alert', data: { message: 'm', a: 1 } }, { message: 'm', data: { a: 1 } }],
    ['an object with a msg alone', { level: 'info', data: { msg: 'm' } }, { message: 'm', data: undefined }],
    ['an object without one', { level: 'info', data: { a: [1] } }, { message: '{"a":[1]}', data: undefined }],
    ['a list', { level: 'info', data: [1, 'x'] }, { message: '[1,"x"]' }],
    ['a number', { level: 'info', data: 0 }, { message: '0' }],
    ['null', { level: 'info', data: null }, { message: 'null' }],
    ['nothing', { level: 'info' }, { message: '(no message)' }],
    ['its message beside no data', { level: 'info', message: 'm' }, { message: 'm', data: undefined }],
    ['a field of its own', { level: 'info', data: 'm', code: 7 }, { message: 'm', data: { code: 7 } }],
    ['a logger', { level: 'info', logger: 'db', data: 'm' }, { logger: 'db' }],
    ['another name of a level', { level: 'WARN', data: 'm' }, { level: 'warning', data: undefined }],
    ['an unknown level', { level: 'loud', data: 'm' }, { level: 'info', data: { level: 'loud' } }],
    ['no level', { data: 'm' }, { level: 'info', data: undefined }],
    ['parameters that are text', 'm', { level: 'info', message: 'm' }],
  ];
  for (const [what, params, expected] of messages) {
    it(`reads ${what}`, () => {
      const record = { data: undefined, ...new Wire().logs(params) };
      assert.deepEqual({ ...record, ...expected, kind: 'log' }, record);
      assert.equal(record.sessionId, undefined);
    });
  }
});

describe('MCP interpreter: protocol version', () => {
  const meta = (version = '2026-07-28'): object => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': version } });

  it('is reported once without a handshake, and again when it changes', () => {
    const wire = new Wire();
    for (const [id, version] of ['2026-07-28', '2026-07-28', '2027-01-01'].entries()) {
      wire.ask(id, 'tools/list', meta(version), { resultType: 'complete', tools: [] });
    }
    assert.deepEqual(wire.linesWith('in force'), [
      'info [] protocol version 2026-07-28 is in force (stateless)',
      'info [] protocol version 2027-01-01 is in force (stateless)',
    ]);
  });

  it('ignores a server that skips unknown fields', () => {
    const wire = new Wire().initialized().ask(1, 'tools/list', meta(), { tools: [] });
    assert.deepEqual(wire.linesWith('in force'), []);
  });

  it("ignores a version that the server doesn't support", () => {
    const wire = new Wire()
      .ask(1, 'server/discover', meta(), { resultType: 'complete', supportedVersions: ['2026-07-28', 7, '2025-11-25'] })
      .ask(2, 'tools/list', meta('2099-01-01'), { resultType: 'complete', tools: [] });
    const version = 'protocol version 2026-07-28 is in force (stateless)';
    const discovered = `info [] discovered in 1 ms: ${version}, also supports 2025-11-25, offers nothing`;
    assert.deepEqual(wire.linesWith('in force'), [discovered]);
  });

  it("doesn't blame an older server for refusing server/discover", () => {
    for (const code of [-32601, -32602, -32022]) {
      const wire = new Wire().ask(1, 'server/discover', meta()).refuse(1, code, 'no');
      const level = code === -32601 ? 'debug' : 'info';
      assert.deepEqual(wire.lines, [`${level} [] server/discover: failed after 1 ms: no (${code})`]);
    }
  });
});

describe('MCP interpreter: logging/setLevel', () => {
  it('logs a refusal only at debug if logging was not declared', () => {
    const wire = new Wire().initialized({}).ask(9, 'logging/setLevel', { level: 'notice' }).refuse(9, -32601, 'no');
    assert.match(wire.lines.at(-1) ?? '', /^debug \[\] .* of this server cannot be set/);
  });
});

describe('MCP interpreter: tools', () => {
  it('shows a call with its arguments', () => {
    const wire = new Wire().ask(1, 'tools/call', { name: 'echo', arguments: { a: 'x'.repeat(900) } });
    assert.deepEqual(wire.lines, [`info [] tool: echo({"a":"${'x'.repeat(494)}…)`]);
  });

  for (const [what, answer, text] of [
    ['text', { content: [{ type: 'text', text: 'a\nb' }, { type: 'image' }] }, 'a b (image)'],
    ['structured content', { structuredContent: { c: 4 } }, '{"c":4}'],
    ['an invalid result', 7, '7'],
    ['a result that is text', 'hello', 'hello'],
    ['content that is text', { content: 'hello' }, 'hello'],
    ['content that is one part', { content: { type: 'text', text: 'hello' } }, 'hello'],
    ['content of texts', { content: ['hello', { text: 'there' }] }, 'hello there'],
    ['a text that is an object', { content: [{ type: 'text', text: { a: 1 } }] }, '{"a":1}'],
  ] as const) {
    it(`shows the result of a call, also beside an error that is null: ${what}`, () => {
      for (const error of [undefined, null]) {
        const wire = new Wire()
          .call(1, 'echo')
          .send('a2c', { id: 1, ...(error === null && { error }), result: answer });
        assert.equal(wire.lines[1], `info [] tool: echo: done in 1 ms: ${text}`);
      }
    });
  }

  it('shows a call that goes on as a task', () => {
    const wire = new Wire().call(1, 'echo').answer(1, { task: { taskId: 't-1', status: 'working' } });
    assert.equal(wire.lines[1], 'info [] tool: echo: runs as task t-1 (working)');
  });

  for (const [method, params, answer, text] of [
    ['tools/list', {}, { tools: [1, 2], nextCursor: 'c' }, '2 tools, and more to come, in 1 ms'],
    ['resources/read', { uri: 'file:///a' }, { contents: [{}] }, 'file:///a: 1 contents in 1 ms'],
    ['prompts/get', { name: 'p' }, { messages: [] }, 'p: 0 messages in 1 ms'],
    ['ping', {}, {}, 'answered in 1 ms'],
    ['completion/complete', { ref: { name: 'p' } }, { completion: [] }, 'p: answered {"completion":[]} in 1 ms'],
  ] as const) {
    it(`logs what a list has at debug: ${method}`, () => {
      assert.deepEqual(new Wire().ask(1, method, params, answer).lines, [`debug [] ${method}: ${text}`]);
    });
  }
});

describe('MCP interpreter: server requests', () => {
  it('shows them with our response', () => {
    const messages = [{ content: 0 }, { role: 'user', content: [{ type: 'text', text: 'Why?' }] }];
    const login = { mode: 'url', message: 'Log in', url: 'https://x' };
    const wire = new Wire()
      .send('a2c', { id: 1, method: 'sampling/createMessage', params: { messages } })
      .send('c2a', { id: 1, error: { code: -1, message: 'declined' } })
      .send('a2c', { id: 2, method: 'elicitation/create', params: login })
      .send('c2a', { id: 2, result: { action: 'accept', content: { password: 'secret' } } })
      .send('a2c', { id: 3, method: 'ping' })
      .send('c2a', { id: 3, result: {} });
    assert.deepEqual(wire.lines, [
      "notice [] sampling: asked for a model's answer to: Why? (the last of 2 messages)",
      'info [] sampling: refused after 1 ms: declined (-1)',
      'notice [] elicitation: asked to open a page: Log in https://x',
      'info [] elicitation: answered: accept (after 1 ms)',
      'debug [] ping: answered (after 1 ms) {}',
    ]);
    assert.deepEqual(wire.open, []);
  });
});

describe('MCP interpreter: HTTP', () => {
  it('closes the request whose exchange failed, with one record', () => {
    const wire = new Wire()
      .call(1, 'deploy')
      .accept({ t: 11, dir: 'ev', ev: 'http', method: 'POST', status: 401, message: 'expired', requestId: 1 });
    assert.deepEqual(wire.log.requests, []);
    const failed = 'error [] tool: deploy: failed after 10 ms: HTTP POST was answered with status 401: expired';
    assert.deepEqual(wire.lines.slice(1), [failed]);
    wire.answer(1);
    assert.equal(wire.lines.at(-1), 'info [] tool: deploy: answered after it had failed');
  });

  it("doesn't blame an older server when discovery fails", () => {
    const wire = new Wire()
      .ask(1, 'server/discover')
      .accept({ t: 2, dir: 'ev', ev: 'http', method: 'POST', status: 400, message: '', requestId: 1 });
    assert.deepEqual(wire.lines, [
      'info [] server/discover: failed after 1 ms: HTTP POST was answered with status 400',
    ]);
  });

  it('reports what belongs to no open request as a connection event', () => {
    const wire = new Wire()
      .accept({ t: 1, dir: 'ev', ev: 'http', method: 'POST', message: 'reset', requestId: 9 })
      .accept({ t: 1, dir: 'ev', ev: 'stream-close', cancels: 9 });
    const cancelled = 'info [] closed the stream of an answer to cancel it';
    assert.deepEqual(wire.lines, ['error [] HTTP POST failed: reset', cancelled]);
  });

  it('reports unanswered requests at the end', () => {
    for (const [level, end] of [['error', { message: 'reset' }] as const, ['info', {}] as const]) {
      const wire = new Wire().call(1, 'deploy').accept({ t: 2, dir: 'ev', ev: 'disconnect', ...end });
      assert.equal(wire.lines.at(-1), `${level} [] tool: deploy: was never answered (open for 1 ms)`);
    }
  });
});
