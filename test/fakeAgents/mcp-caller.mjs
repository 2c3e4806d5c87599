// @ts-check
// An agent that calls tools of the MCP server it was given. It has other names for them, lowers a limit, shows a part of a
// long result, and takes a failure for a success.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { FakeAgent, sleep } from './lib/fakeAgent.mjs';

/**
 * @typedef {{ name: string, command: string, args: string[], env: { name: string, value: string }[] }} ServerEntry
 * @typedef {{ content?: { text: string }[] }} Result
 */

const agent = new FakeAgent();
/** @type {Server | undefined} */
let server;

class Server {
  requests = 0;
  /** @type {Map<unknown, (result: Result) => void>} */
  open = new Map();

  /** @param {ServerEntry} entry */
  constructor({ name, command, args, env }) {
    this.name = name;
    const own = Object.fromEntries(env.map((one) => [one.name, one.value]));
    this.process = spawn(command, args, { env: { ...process.env, ...own }, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const { id, result } = parsed(line);
      this.open.get(id)?.(result);
    });
  }

  /**
   * @param {string} method
   * @param {object} params
   * @returns {Promise<Result>}
   */
  request(method, params) {
    const id = ++this.requests;
    const answer = new Promise((resolve) => this.open.set(id, resolve));
    this.send({ id, method, params });
    return /** @type {Promise<Result>} */ (answer);
  }

  /** @param {object} message */
  send(message) {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

agent.on('session/new', async ({ mcpServers }) => {
  const [entry] = /** @type {ServerEntry[]} */ (mcpServers);
  if (entry) {
    server = new Server(entry);
    const clientInfo = { name: 'fake', version: '0' };
    await server.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    server.send({ method: 'notifications/initialized' });
    await server.request('tools/list', {});
  }
  return { sessionId: `fake-${++agent.sessions}` };
});

agent.on('session/prompt', async () => {
  // The ID of the call is in the request, as with Claude Code, because the arguments are others.
  await call('find', { title: 'Momo', limit: 5000 }, { title: 'Momo', limit: 100 }, { 'fake/toolCallId': 'call-find' });
  await call('stock', { shop: 'Main Street' });
  await call('reserve', { title: 'Momo', copies: 1 });
  agent.say('There are 3 copies in Main Street, and one is reserved.');
  return { stopReason: 'end_turn' };
});

/**
 * @param {string} name
 * @param {object} rawInput
 * @param {object} given the arguments that the server gets
 * @param {object} [meta]
 */
async function call(name, rawInput, given = rawInput, meta) {
  if (!server) return;
  const toolCallId = `call-${name}`;
  const title = `mcp__${server.name}__${name}`;
  agent.update({ sessionUpdate: 'tool_call', toolCallId, title, kind: 'other', status: 'in_progress', rawInput });
  await sleep(120); // its hooks
  const progressToken = server.requests;
  const { content = [] } = await server.request('tools/call', {
    name,
    arguments: given,
    _meta: { progressToken, ...meta },
  });
  await sleep(60);
  const text = content.map((block) => block.text.slice(0, 1200)).join('');
  agent.update({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text } }],
  });
}

/**
 * @param {string} line
 * @returns {{ id?: unknown, result: Result }}
 */
function parsed(line) {
  /** @type {unknown} */
  const message = JSON.parse(line);
  return /** @type {{ id?: unknown, result: Result }} */ (message);
}
