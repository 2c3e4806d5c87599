import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

const offer = { protocolVersion: '2025-11-25', capabilities: {} };
const greeting = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};
const spawn = { ev: 'spawn', pid: 1, command: ['s'], cwd: '/' } as const;

describe('diagnosis: MCP', () => {
  it('is content with a server that dies of server/discover and is started anew', () => {
    const wire = new DiagnosedWire('mcp').process(spawn).ask('server/discover', {});
    wire.process({ ev: 'exit', code: 1, signal: null }).process(spawn).ask('initialize', offer, greeting);
    assert.deepEqual(wire.codes, ['agent-ended notice']);
    assert.match(wire.summary(), /^exited with code 1/);
    wire.process({ ev: 'exit', code: 1, signal: null });
    assert.equal(wire.codes.at(-1), 'agent-ended error');
  });

  it('tells a server that cannot start from one that does not know server/discover', () => {
    const ended = (words: string, code: number | null, signal: string | null = null): string[] => {
      const wire = new DiagnosedWire('mcp').process(spawn).ask('server/discover', {});
      return (words === '' ? wire : wire.stderr(words)).process({ ev: 'exit', code, signal }).codes;
    };
    assert.deepEqual(ended('Error: DATABASE_URL is not set', 1), ['agent-ended error']);
    assert.deepEqual(ended('', null, 'SIGSEGV'), ['agent-ended error']);
    assert.deepEqual(ended('Server started', 1), ['agent-ended notice']);
    assert.deepEqual(ended('Error: expect initialized request, but received: server/discover', 1), [
      'agent-ended notice',
    ]);
  });

  it('judges the end of a process by its own, not by that of the one before it', () => {
    const wire = new DiagnosedWire('mcp').process(spawn).process({ ev: 'stdin-close' });
    wire.process({ ev: 'exit', code: 0, signal: null }).process(spawn);
    assert.deepEqual(wire.process({ ev: 'exit', code: 1, signal: null }).codes, ['agent-ended error']);
  });

  it('lets an older server refuse server/discover in its own way', () => {
    const refused = new DiagnosedWire('mcp').ask('server/discover', {}).refuse(-32000, 'Server not initialized');
    assert.deepEqual(refused.said, []);
    const http = (status: number): string[] => {
      const wire = new DiagnosedWire('mcp').ask('server/discover', {});
      return wire.process({ ev: 'http', method: 'POST', status, message: 'Bad Request', requestId: 1 }).codes;
    };
    assert.deepEqual(http(400), []);
    assert.deepEqual(http(401), ['authentication-required error']);
    assert.deepEqual(http(500), ['failed-request warning']);
  });

  it('knows a request by its id in the other type, and tells of it once', () => {
    const wire = new DiagnosedWire('mcp').ask('initialize', offer).says({ id: '1', result: greeting });
    wire.ask('tools/call', { name: 'x' });
    wire.says({ id: '2', result: { isError: true, content: [{ type: 'text', text: 'no' }] } }).quiet(1000);
    assert.deepEqual(wire.codes, ['protocol-violation warning', 'tool-failed warning']);
    assert.deepEqual(wire.process({ ev: 'exit', code: 0, signal: null }).codes.slice(2), ['protocol-violation notice']);
  });

  it('waits for nothing that the server has cancelled, and for what it asked itself no longer', () => {
    const cancel = (requestId: number): object => ({ method: 'notifications/cancelled', params: { requestId } });
    const ours = new DiagnosedWire('mcp').ask('tools/call', { name: 'x' }).says(cancel(1));
    assert.deepEqual(ours.quiet(1e6).codes, []);
    assert.equal(ours.summary(), 'idle');
    assert.deepEqual(ours.answer({ content: [] }).codes, []);
    const its = new DiagnosedWire('mcp').ask('tools/call', { name: 'x' });
    its.says({ id: 7, method: 'elicitation/create', params: { message: 'Sure?' } }).says(cancel(7));
    assert.deepEqual(its.quiet(301_000).codes, ['unanswered-request warning']);
  });

  it('knows the request of an answer that comes after its exchange has failed', () => {
    const failed = new DiagnosedWire('mcp').ask('tools/call', { name: 'x' });
    failed.process({ ev: 'http', method: 'POST', message: 'socket hang up', requestId: 1 });
    assert.deepEqual(failed.wait(500).answer({ content: [] }).codes, ['failed-request warning']);
    const closed = new DiagnosedWire('mcp')
      .ask('tools/call', { name: 'x' })
      .process({ ev: 'stream-close', cancels: 1 });
    assert.deepEqual(closed.wait(500).answer({ content: [] }).codes, ['cancel-ignored notice']);
  });

  it('takes a request that has an id anew for what it is now', () => {
    const wire = new DiagnosedWire('mcp').ask('tools/call', { name: 'x' });
    wire.tell('notifications/cancelled', { requestId: 1 }).wait(500);
    wire
      .send('c2a', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
      .says({ id: 1, result: { tools: [] } });
    assert.match(wire.says({ id: 1, result: { tools: [] } }).said[0] ?? '', /Second response to tools\/list/);
  });

  /** What is said of the answer to a request, without the advice. */
  const answered = (method: string, result: unknown): string[] =>
    new DiagnosedWire('mcp')
      .ask(method, { name: 'x', protocolVersion: '2025-11-25' }, result)
      .said.map((line) =>
        line.replace('warning [] protocol-violation: ', '').replace(/\. (?:MCP|Where|A tool|A field) .*/, ''),
      );

  it('finds answers of another shape, and says which field', () => {
    const wrong: [string, unknown, string][] = [
      ['tools/call', 'hello', 'the answer to tools/call is a string, where MCP has an object: "hello"'],
      ['ping', null, 'the answer to ping is null, where MCP has an object'],
      ['tools/call', { content: 'hello' }, 'the answer to tools/call whose `content` is a string: "hello"'],
      ['tools/call', { content: ['hello'] }, 'the answer to tools/call whose `content[]` is a string: "hello"'],
      [
        'tools/call',
        { content: [{ type: 'text', text: 1 }] },
        'the answer to tools/call whose `content[]` is a text block whose `text` is no string: {"type":"text","text":1}',
      ],
      ['tools/list', { tools: null }, 'the answer to tools/list whose `tools` is null'],
      [
        'tools/list',
        { tools: [{ name: 't', inputSchema: { type: 'object' } }, { name: 'u', input_schema: {} }, { name: 'v' }] },
        'the answer to tools/list has a tool without `inputSchema` (it has `input_schema`): u and 1 more',
      ],
      [
        'tools/list',
        { tools: [{ name: 't', inputSchema: {} }] },
        'the answer to tools/list has a tool whose `inputSchema` has not the type "object": t',
      ],
      [
        'tools/list',
        { tools: [{ name: 't', inputSchema: { type: 'object', properties: [] } }] },
        'the answer to tools/list has a tool whose `inputSchema.properties` is a list: t',
      ],
      [
        'tools/list',
        { tools: [{ name: 't', title: null, inputSchema: { type: 'object', required: null } }], nextCursor: null },
        'the answer to tools/list with null as `nextCursor`, `tools[].title`, `tools[].inputSchema.required`',
      ],
      ['tools/call', { content: [], isError: null }, 'the answer to tools/call with null as `isError`'],
      [
        'resources/read',
        { contents: [{ uri: 'x:y', text: 't', mimeType: null }] },
        'the answer to resources/read with null as `contents[].mimeType`',
      ],
      ['resources/templates/list', {}, 'the answer to resources/templates/list without `resourceTemplates`'],
      [
        'tools/call',
        { content: [{ type: 'resource', resource: { uri: 'x:y' } }] },
        'the answer to tools/call whose `content[]` is a resource block without the `text` or `blob` of its `resource`: {"type":"resource","resource":{"uri":"x:y"}}',
      ],
      [
        'prompts/get',
        { messages: [{ role: 'user', content: 'hello' }] },
        'the answer to prompts/get whose `messages[].content` is a string: "hello"',
      ],
    ];
    for (const [method, result, what] of wrong) assert.deepEqual(answered(method, result), [what]);
    assert.deepEqual(answered('initialize', { ...greeting, serverInfo: { name: 's' } }), [
      'the answer to initialize whose `serverInfo` is without its `name` and `version`: {"name":"s"}',
    ]);
    assert.deepEqual(answered('initialize', { ...greeting, capabilities: { tools: true, logging: [], own: true } }), [
      'the answer to initialize whose `capabilities.tools` is a boolean: true',
      'the answer to initialize whose `capabilities.logging` is a list: []',
    ]);
  });

  it('says what to do of what nobody offered, and of what was declared', () => {
    const start = (method: string, capabilities: object): DiagnosedWire =>
      new DiagnosedWire('mcp').ask(method, { protocolVersion: '2025-11-25' }, { ...greeting, capabilities });
    const asks = start('initialize', {}).says({ id: 5, method: 'roots/list' });
    assert.match(asks.said[0] ?? '', /asks for roots\/list, .*\. Look at the client's `capabilities` first/);
    const deaf = start('initialize', { logging: {} }).ask('logging/setLevel', { level: 'info' }).refuse(-32601, 'no');
    assert.match(deaf.said.join('\n'), /does not know logging\/setLevel\. Answer logging\/setLevel with `{}`/);
  });

  it('has nothing against what some version allows, and what it does not know', () => {
    const tool = { name: 't', inputSchema: { type: 'object' }, outputSchema: { type: 'array' } };
    const right: [string, unknown][] = [
      [
        'tools/call',
        {
          content: [
            { type: 'text', text: '' },
            { type: 'resource_link', uri: 'x:y', name: 'n' },
          ],
        },
      ],
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

  it('tells once of a mistake that every answer has', () => {
    const wire = new DiagnosedWire('mcp').ask('tools/call', { name: 'x' }, { content: 'one' });
    wire.ask('tools/call', { name: 'x' }, { content: 'two' });
    assert.equal(wire.codes.length, 1);
  });

  it('lets a prompt and a resource ask for more before they answer', () => {
    const more = { resultType: 'input_required', inputRequests: {} };
    const wire = new DiagnosedWire('mcp').ask('prompts/get', { name: 'p' }, more).ask('resources/read', {}, more);
    assert.deepEqual(wire.said, []);
  });
});
