// @ts-check
// A well-behaved MCP server with a few tools, for any transport, on which the misbehaving fake servers are built. No dependencies.
import { createInterface } from 'node:readline';

/**
 * @typedef {Record<string, unknown>} Params
 * @typedef {{ jsonrpc?: string, id?: unknown, method?: string, params?: Params, result?: unknown, error?: unknown }} Message
 * @typedef {(message: Message) => void} Send
 * @typedef {{ params: Params, id: unknown, send: Send, progress: (progress: number, message?: string) => void }} Call
 */

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const modernVersion = '2026-07-28';

/** Returned by a handler to send no answer. */
export const noAnswer = Symbol('no answer');

/** A JSON-RPC error response. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.error = { code, message };
  }
}

export class FakeMcpServer {
  level = 'warning';
  requests = 0;
  /** @type {Map<unknown, (answer: Message) => void>} open requests to the client */
  open = new Map();
  /** @type {Map<string, (params: Params, id: unknown, send: Send) => unknown>} */
  handlers = new Map();
  /** @type {Map<string, (call: Call) => unknown>} return the text of the result */
  tools = new Map();
  /** @type {Message[]} everything that the client has sent */
  received = [];

  /**
   * @param {object} [options]
   * @param {'legacy' | 'modern'} [options.era] up to 2025-11-25, or 2026-07-28
   * @param {boolean} [options.logging]
   */
  constructor({ era = 'legacy', logging = true } = {}) {
    this.isModern = era === 'modern';
    this.capabilities = { tools: {}, ...(logging && { logging: {} }) };
    if (this.isModern) this.handlers.set('server/discover', () => this.discover());
    else this.handlers.set('initialize', ({ protocolVersion }) => this.initialize(protocolVersion));
    if (logging && !this.isModern) this.handlers.set('logging/setLevel', ({ level }) => this.setLevel(String(level)));
    this.handlers.set('tools/list', () => ({
      tools: [...this.tools.keys()].map((name) => ({
        name,
        description: `Does ${name}.`,
        inputSchema: { type: 'object' },
      })),
      ...(this.isModern && { ttlMs: 0, cacheScope: 'private' }),
    }));
    this.handlers.set('tools/call', (params, id, send) => this.call(params, id, send));
    this.addTools();
  }

  addTools() {
    this.tools.set('echo', ({ params }) => JSON.stringify(params['arguments']));
    this.tools.set('meta', ({ params }) => JSON.stringify(params['_meta']));
    this.tools.set('work', ({ progress, send, params }) => {
      for (const step of [1, 2, 3]) progress(step, `step ${step}`);
      for (const level of levels) this.log(level, `said at ${level}`, send, params);
      return 'worked';
    });
    this.tools.set('hang', () => noAnswer);
    this.tools.set('giveUp', ({ id, send }) => {
      const params = { requestId: id, reason: 'shutting down' };
      send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      return noAnswer;
    });
    this.tools.set('refuse', () => {
      throw new RpcError(-32602, 'No such thing.');
    });
    this.tools.set('ask', async ({ params, send }) => {
      const asked = /** @type {{ method: string, params?: Record<string, unknown> }} */ (params['arguments']);
      return JSON.stringify(await this.request(asked.method, asked.params ?? {}, send));
    });
    this.tools.set('flood', ({ params, send }) => {
      const { count } = /** @type {{ count: number }} */ (params['arguments']);
      for (let i = 1; i <= count; i++) this.log('error', `line ${i}`, send, params);
      return 'flooded';
    });
  }

  initialize(/** @type {unknown} */ protocolVersion) {
    return {
      protocolVersion,
      capabilities: this.capabilities,
      serverInfo: { name: 'fake-mcp', version: '0' },
      instructions: 'Be kind.',
    };
  }

  discover() {
    return {
      supportedVersions: [modernVersion],
      capabilities: this.capabilities,
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fake-mcp', version: '0' } },
    };
  }

  setLevel(/** @type {string} */ level) {
    if (!levels.includes(level)) throw new RpcError(-32602, `No such level: ${level}`);
    this.level = level;
    return {};
  }

  /**
   * @param {Params} params
   * @param {unknown} id
   * @param {Send} send
   */
  async call(params, id, send) {
    const tool = this.tools.get(String(params['name']));
    if (!tool) throw new RpcError(-32602, `No such tool: ${String(params['name'])}`);
    const { progressToken } = /** @type {Params} */ (params['_meta'] ?? {});
    const progress = (/** @type {number} */ done, /** @type {string | undefined} */ message) =>
      send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: done, total: 3, message },
      });
    const text = await tool({ params, id, send, progress });
    return text === noAnswer ? noAnswer : { content: [{ type: 'text', text }] };
  }

  /**
   * @param {string} level
   * @param {string} data
   * @param {Send} send
   * @param {Params} [params] parameters of the request that it belongs to
   */
  log(level, data, send, params = {}) {
    const meta = /** @type {Params} */ (params['_meta'] ?? {});
    const wanted = /** @type {string | undefined} */ (
      this.isModern ? meta['io.modelcontextprotocol/logLevel'] : this.level
    );
    if (wanted === undefined || levels.indexOf(level) < levels.indexOf(wanted)) return;
    send({ jsonrpc: '2.0', method: 'notifications/message', params: { level, logger: 'fake', data } });
  }

  /**
   * Sends a request to the client and waits for any response.
   * @param {string} method
   * @param {Params} params
   * @param {Send} send
   * @returns {Promise<Message>}
   */
  request(method, params, send) {
    const id = `server-${++this.requests}`;
    const answer = new Promise((resolve) => this.open.set(id, resolve));
    send({ jsonrpc: '2.0', id, method, params });
    return /** @type {Promise<Message>} */ (answer);
  }

  /**
   * @param {Message} message
   * @param {Send} send
   */
  async receive(message, send) {
    this.received.push(message);
    const { id, method, params = {}, result, error } = message;
    if (method === undefined) {
      this.open.get(id)?.(error === undefined ? { result } : { error });
      this.open.delete(id);
      return;
    }
    try {
      const handler = this.handlers.get(method);
      if (!handler) throw new RpcError(-32601, `Method not found: ${method}`);
      const answer = /** @type {object | symbol} */ (await handler(params, id, send));
      if (id === undefined || answer === noAnswer || typeof answer !== 'object') return;
      send({ jsonrpc: '2.0', id, result: { ...(this.isModern && { resultType: 'complete' }), ...answer } });
    } catch (failure) {
      if (!(failure instanceof RpcError)) throw failure;
      if (id !== undefined) send({ jsonrpc: '2.0', id, error: failure.error });
    }
  }

  /** Serves over stdio until stdin ends. */
  serve() {
    const send = (/** @type {Message} */ message) => void process.stdout.write(`${JSON.stringify(message)}\n`);
    createInterface({ input: process.stdin })
      .on('line', (/** @type {string} */ line) => {
        const message = /** @type {Message} */ (parse(line));
        void this.receive(message, send);
      })
      .on('close', () => process.exit(0));
    return send;
  }
}

/**
 * @param {string} line
 * @returns {unknown}
 */
function parse(line) {
  return JSON.parse(line);
}
