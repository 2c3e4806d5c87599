import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

const offer = { protocolVersion: '2025-11-25', capabilities: {} };
const greeting = { ...offer, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
const calling = (): DiagnosedWire => new DiagnosedWire('mcp').ask('tools/call', { name: 'x' });
const spawn = { ev: 'spawn', pid: 1, command: ['s'], cwd: '/' } as const;

describe('diagnosis: MCP', () => {
  it('accepts a server that exits on server/discover and is restarted', () => {
    const wire = new DiagnosedWire('mcp').process(spawn).ask('server/discover', {});
    wire.exit(1).process(spawn).ask('initialize', offer, greeting);
    assert.deepEqual(wire.codes, ['agent-ended notice']);
    assert.equal(wire.summary(), 'idle');
    wire.exit(1);
    assert.equal(wire.codes.at(-1), 'agent-ended error');
  });

  it('distinguishes a server that cannot start from one that does not know server/discover', () => {
    const ended = (words: string, code: number | null, signal: string | null = null): string[] => {
      const wire = new DiagnosedWire('mcp').process(spawn).ask('server/discover', {});
      return (words === '' ? wire : wire.stderr(words)).process({ ev: 'exit', code, signal }).codes;
    };
    assert.deepEqual(ended('Error: DATABASE_URL is not set', 1), ['agent-ended error']);
    assert.deepEqual(ended('', null, 'SIGSEGV'), ['agent-ended error']);
    assert.deepEqual(ended('Server started', 1), ['agent-ended notice']);
    const expected = 'Error: expect initialized request, but received: server/discover';
    assert.deepEqual(ended(expected, 1), ['agent-ended notice']);
  });

  it('judges each process of a run by its own exit', () => {
    const wire = new DiagnosedWire('mcp').process(spawn).process({ ev: 'stdin-close' });
    wire.exit(0).process(spawn);
    assert.deepEqual(wire.exit(1).codes, ['agent-ended error']);
  });

  it('accepts any refusal of server/discover', () => {
    const refused = new DiagnosedWire('mcp').ask('server/discover', {}).refuse(-32000, 'Server not initialized');
    assert.deepEqual(refused.said, []);
    const http = (status: number): string[] => {
      const wire = new DiagnosedWire('mcp').ask('server/discover', {});
      return wire.process({ ev: 'http', method: 'POST', status, message: 'Bad Request', requestId: 1 }).codes;
    };
    assert.deepEqual(http(400), []);
    assert.deepEqual(http(401), ['authentication-required error']);
    assert.deepEqual(http(500), ['failed-request error']);
  });

  it('matches a response whose ID has another type, and reports that once', () => {
    const wire = new DiagnosedWire('mcp').ask('initialize', offer).says({ id: '1', result: greeting });
    wire.ask('tools/call', { name: 'x' });
    wire.says({ id: '2', result: { isError: true, content: [{ type: 'text', text: 'no' }] } }).quiet(121_000);
    const codes = ['protocol-violation warning', 'tool-failed warning', 'protocol-violation notice'];
    assert.deepEqual(wire.exit(0).codes, codes);
  });

  it('stops waiting for requests that were cancelled', () => {
    const cancel = (requestId: number): object => ({ method: 'notifications/cancelled', params: { requestId } });
    const ours = calling().says(cancel(1));
    assert.deepEqual(ours.quiet(1e6).codes, []);
    assert.equal(ours.summary(), 'idle');
    assert.deepEqual(ours.answer({ content: [] }).codes, []);
    const its = calling();
    its.asks(7, 'elicitation/create', { message: 'Sure?' }).says(cancel(7));
    const codes = ['unanswered-request notice', 'unanswered-request warning'];
    assert.deepEqual(its.quiet(601_000).quiet(601_000).codes, codes);
  });

  it('matches a response that arrives after its HTTP exchange failed', () => {
    const failed = calling();
    failed.process({ ev: 'http', method: 'POST', message: 'socket hang up', requestId: 1 });
    assert.deepEqual(failed.wait(500).answer({ content: [] }).codes, ['failed-request warning']);
    const closed = calling().process({ ev: 'stream-close', cancels: 1 });
    assert.deepEqual(closed.wait(500).answer({ content: [] }).codes, ['cancel-ignored notice']);
  });

  it('matches a response with the latest request of an ID', () => {
    const wire = calling();
    wire.tell('notifications/cancelled', { requestId: 1 }).wait(500);
    const answer = { id: 1, result: { tools: [] } };
    wire.send('c2a', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }).says(answer);
    assert.match(wire.says(answer).first, /Second response to `tools\/list`/);
  });

  /** The findings about the response to a request, without its name and advice. */
  const answered = (method: string, result: unknown): string[] => {
    const { said } = new DiagnosedWire('mcp').ask(method, { name: 'x', protocolVersion: '2025-11-25' }, result);
    const brief = (line: string): string =>
      line.replace('warning [] protocol-violation: ', '').replace(/\. (?:MCP|Expected|Leave out) .*/, '');
    return said.map((line) => brief(line).replace(new RegExp(`[Tt]he response to \`${method}\``), '_'));
  };

  it('names the invalid field of a response', () => {
    const [type, uri] = ['object', 'x:y'];
    const tools = (...all: readonly object[]): object => ({
      tools: all.map((more, n) => ({ name: `t${n}`, ...more })),
    });
    const withNull = { title: null, inputSchema: { type, required: null } };
    const wrong: [string, unknown, string][] = [
      ['tools/call', 'hello', '_ is a string: "hello"'],
      ['ping', null, '_ is null'],
      ['tools/call', { content: 'hello' }, '`content` of _ is a string: "hello"'],
      ['tools/call', { content: ['hello'] }, '`content[]` of _ is a string: "hello"'],
      ['tools/call', { content: [{ type: 'text', text: 1 }] }, '`content[].text` of _ is a number: 1'],
      ['tools/list', { tools: null }, '`tools` of _ is null'],
      ['tools/list', tools({ inputSchema: { type } }, { input_schema: {} }, {}), '_ is missing `tools[].inputSchema`'],
      ['tools/list', tools({ inputSchema: {} }), '_ is missing `tools[].inputSchema.type`'],
      [
        'tools/list',
        tools({ inputSchema: { type, properties: [] } }),
        '`tools[].inputSchema.properties` of _ is a list: []',
      ],
      [
        'tools/list',
        { ...tools(withNull), nextCursor: null },
        '_ has null in `nextCursor`, `tools[].title`, `tools[].inputSchema.required`',
      ],
      ['tools/call', { content: [], isError: null }, '_ has null in `isError`'],
      ['resources/read', { contents: [{ uri, text: 't', mimeType: null }] }, '_ has null in `contents[].mimeType`'],
      ['resources/templates/list', {}, '_ is missing `resourceTemplates`'],
      [
        'tools/call',
        { content: [{ type: 'resource', resource: { uri } }] },
        '_ is missing `content[].resource.text` or `content[].resource.blob`',
      ],
      ['prompts/get', { messages: [{ role: 'user', content: 'hi' }] }, '`messages[].content` of _ is a string: "hi"'],
    ];
    for (const [method, result, what] of wrong) assert.deepEqual(answered(method, result), [what]);
    const unnamed = { ...greeting, serverInfo: { name: 's' } };
    assert.deepEqual(answered('initialize', unnamed), ['_ is missing `serverInfo.version`']);
    const capabilities = { tools: true, logging: [], own: true };
    const [tool, logging] = [
      '`capabilities.tools` of _ is a boolean: true',
      '`capabilities.logging` of _ is a list: []',
    ];
    assert.deepEqual(answered('initialize', { ...greeting, capabilities }), [tool, logging]);
  });

  it('gives advice on missing and unsupported capabilities', () => {
    const start = (method: string, capabilities: object): DiagnosedWire =>
      new DiagnosedWire('mcp').ask(method, { protocolVersion: '2025-11-25' }, { ...greeting, capabilities });
    const asks = start('initialize', {}).says({ id: 5, method: 'roots/list' });
    const unsupported = /`roots\/list` was sent to a client that doesn't support it\. Check `capabilities\.roots`/;
    assert.match(asks.first, unsupported);
    const deaf = start('initialize', { logging: {} }).ask('logging/setLevel', { level: 'info' }).refuse(-32601, 'no');
    assert.match(deaf.said.join('\n'), /doesn't know `logging\/setLevel`\. Answer `logging\/setLevel` with `{}`/);
  });

  it('accepts unknown fields, and whatever any version allows', () => {
    const tool = { name: 't', inputSchema: { type: 'object' }, outputSchema: { type: 'array' } };
    const right: [string, unknown][] = [
      ['tools/call', { content: [{ type: 'text', text: '' }] }],
      ['tools/call', { content: [{ type: 'resource_link', uri: 'x:y', name: 'n' }] }],
      ['tools/call', { content: [{ type: 'hologram' }] }],
      ['tools/call', { structuredContent: [1] }],
      ['tools/call', { toolResult: 7 }],
      ['tools/call', { task: { taskId: 't' } }],
      ['tools/call', { resultType: 'own', content: 'x' }],
      ['tools/list', { tools: [tool], _meta: {}, nextCursor: 'c' }],
      ['logging/setLevel', {}],
      ['own/method', { content: 'x', tools: true }],
    ];
    for (const [method, result] of right) assert.deepEqual(answered(method, result), [], JSON.stringify(result));
  });

  it('reports an error that all responses share once', () => {
    const wire = new DiagnosedWire('mcp').ask('tools/call', { name: 'x' }, { content: 'one' });
    wire.ask('tools/call', { name: 'x' }, { content: 'two' });
    assert.equal(wire.codes.length, 1);
  });

  it('accepts responses that ask for more input first', () => {
    const more = { resultType: 'input_required', inputRequests: {} };
    const wire = new DiagnosedWire('mcp').ask('prompts/get', { name: 'p' }, more).ask('resources/read', {}, more);
    assert.deepEqual(wire.said, []);
  });
});
