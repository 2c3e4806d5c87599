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
      const record = new Wire().logs(params);
      assert.deepEqual([record.kind, record.sessionId], ['log', undefined]);
      for (const [name, value] of Object.entries(expected)) {
        assert.deepEqual(record[name as keyof LogRecord], value, name);
      }
    });
  }
});

describe('MCP interpreter: protocol version', () => {
  const meta = (version = '2026-07-28', logLevel?: string): object => ({
    _meta: {
      'io.modelcontextprotocol/protocolVersion': version,
      ...(logLevel !== undefined && { 'io.modelcontextprotocol/logLevel': logLevel }),
    },
  });

  it('is reported once without a handshake, and again when it changes', () => {
    const wire = new Wire();
    for (const [id, version] of [
      [1, '2026-07-28'],
      [2, '2026-07-28'],
      [3, '2027-01-01'],
    ] as const) {
      wire.ask(id, 'tools/list', meta(version), { resultType: 'complete', tools: [] });
    }
    assert.deepEqual(
      wire.lines.filter((line) => line.includes('in force')),
      [
        'info [] protocol version 2026-07-28 is in force (stateless)',
        'info [] protocol version 2027-01-01 is in force (stateless)',
      ],
    );
  });

  it('ignores a server that skips unknown fields', () => {
    const wire = new Wire().initialized().ask(1, 'tools/list', meta(), { tools: [] });
    assert.ok(!wire.lines.some((line) => line.includes('in force')));
  });

  it("ignores a version that the server doesn't support", () => {
    const wire = new Wire()
      .ask(1, 'server/discover', meta(), { resultType: 'complete', supportedVersions: ['2026-07-28', 7, '2025-11-25'] })
      .ask(2, 'tools/list', meta('2099-01-01'), { resultType: 'complete', tools: [] });
    assert.deepEqual(
      wire.lines.filter((line) => line.includes('in force')),
      [
        'info [] discovered in 1 ms: protocol version 2026-07-28 is in force (stateless), also supports 2025-11-25, offers nothing',
      ],
    );
  });

  it("doesn't blame an older server for refusing server/discover", () => {
    for (const [code, level] of [
      [-32601, 'debug'],
      [-32602, 'info'],
      [-32022, 'info'],
    ] as const) {
      const wire = new Wire().ask(1, 'server/discover', meta()).refuse(1, code, 'no');
      assert.deepEqual(wire.lines, [`${level} [] server/discover: failed after 1 ms: no (${code})`]);
    }
  });
});

describe('MCP interpreter: logging/setLevel', () => {
  const setLevel = (wire: Wire, code?: number): string[] => {
    const before = wire.lines.length;
    wire
      .ask(9, 'logging/setLevel', { level: 'notice' })
      .send('a2c', code === undefined ? { id: 9, result: {} } : { id: 9, error: { code, message: 'no' } });
    return wire.lines.slice(before);
  };

  it('logs a refusal only at debug if logging was not declared', () => {
    assert.match(setLevel(new Wire().initialized({}), -32601)[0] ?? '', /^debug \[\] .* of this server cannot be set/);
  });
});

describe('MCP interpreter: tools', () => {
  const result = (answer: object): string | undefined =>
    new Wire()
      .call(1, 'echo')
      .send('a2c', { id: 1, ...answer })
      .lines.at(-1);

  it('shows a call with its arguments, and its result with its text', () => {
    const wire = new Wire().ask(
      1,
      'tools/call',
      { name: 'echo', arguments: { a: 'x'.repeat(900) } },
      {
        content: [
          { type: 'text', text: 'a\nb' },
          { type: 'image', data: 'AAAA' },
        ],
      },
    );
    assert.equal(wire.lines[0], `info [] tool: echo({"a":"${'x'.repeat(494)}…)`);
    assert.equal(wire.lines[1], 'info [] tool: echo: done in 1 ms: a b (image)');
  });

  it('shows structured content, tasks, and invalid results', () => {
    assert.equal(result({ result: { structuredContent: { c: 4 } } }), 'info [] tool: echo: done in 1 ms: {"c":4}');
    assert.equal(
      result({ result: { task: { taskId: 't-1', status: 'working' } } }),
      'info [] tool: echo: runs as task t-1 (working)',
    );
    assert.equal(result({ result: 7 }), 'info [] tool: echo: done in 1 ms: 7');
    assert.equal(result({ error: null, result: 7 }), 'info [] tool: echo: done in 1 ms: 7');
  });

  it('shows the text of a result whose content has another shape', () => {
    const texts: [unknown, string][] = [
      ['hello', 'hello'],
      [{ content: 'hello' }, 'hello'],
      [{ content: { type: 'text', text: 'hello' } }, 'hello'],
      [{ content: ['hello', { text: 'there' }] }, 'hello there'],
      [{ content: [{ type: 'text', text: { a: 1 } }] }, '{"a":1}'],
    ];
    for (const [answer, text] of texts) {
      assert.equal(result({ result: answer }), `info [] tool: echo: done in 1 ms: ${text}`);
    }
  });

  it('logs the number of list items at debug', () => {
    const wire = new Wire();
    const answers: [string, object, object][] = [
      ['tools/list', {}, { tools: [1, 2], nextCursor: 'c' }],
      ['resources/read', { uri: 'file:///a' }, { contents: [{}] }],
      ['prompts/get', { name: 'p' }, { messages: [] }],
      ['ping', {}, {}],
      ['completion/complete', { ref: { name: 'p' } }, { completion: { values: ['a'] } }],
    ];
    for (const [method, params, answer] of answers) {
      wire.ask(1, method, params, answer);
    }
    assert.deepEqual(wire.lines, [
      'debug [] tools/list: 2 tools, and more to come, in 1 ms',
      'debug [] resources/read: file:///a: 1 contents in 1 ms',
      'debug [] prompts/get: p: 0 messages in 1 ms',
      'debug [] ping: answered in 1 ms',
      'debug [] completion/complete: p: answered {"completion":{"values":["a"]}} in 1 ms',
    ]);
  });
});

describe('MCP interpreter: server requests', () => {
  it('shows them with our response', () => {
    const wire = new Wire()
      .send('a2c', {
        id: 1,
        method: 'sampling/createMessage',
        params: { messages: [{ content: 0 }, { role: 'user', content: [{ type: 'text', text: 'Why?' }] }] },
      })
      .send('c2a', { id: 1, error: { code: -1, message: 'declined' } })
      .send('a2c', {
        id: 2,
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Log in', url: 'https://x' },
      })
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
    assert.deepEqual(wire.log.requests, []);
  });
});

describe('MCP interpreter: HTTP', () => {
  it('closes the request whose exchange failed, with one record', () => {
    const wire = new Wire()
      .call(1, 'deploy')
      .accept({ t: 11, dir: 'ev', ev: 'http', method: 'POST', status: 401, message: 'expired', requestId: 1 });
    assert.deepEqual(wire.log.requests, []);
    assert.deepEqual(wire.lines.slice(1), [
      'error [] tool: deploy: failed after 10 ms: HTTP POST was answered with status 401: expired',
    ]);
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
    assert.deepEqual(wire.lines, [
      'error [] HTTP POST failed: reset',
      'info [] closed the stream of an answer to cancel it',
    ]);
  });

  it('reports unanswered requests at the end', () => {
    const wire = new Wire().call(1, 'deploy').accept({ t: 2, dir: 'ev', ev: 'disconnect', message: 'reset' });
    assert.equal(wire.lines.at(-1), 'error [] tool: deploy: was never answered (open for 1 ms)');
    const asked = new Wire().call(1, 'deploy').accept({ t: 2, dir: 'ev', ev: 'disconnect' });
    assert.equal(asked.lines.at(-1), 'info [] tool: deploy: was never answered (open for 1 ms)');
  });
});
