// @ts-check
// A well-behaved ACP agent without logs, on which the misbehaving fake agents are built. No dependencies.
import { createInterface } from 'node:readline';

/**
 * @typedef {Record<string, unknown>} Params
 * @typedef {{ id?: unknown, method?: string, params?: Params, result?: unknown, error?: unknown }} Message
 * @typedef {(params: Params, id: unknown) => unknown} Handler returns the result (or its promise), throws an
 *   RpcError to answer with an error, or returns `noAnswer`
 */

/** Returned by a handler to send no answer. */
export const noAnswer = Symbol('no answer');

/** A JSON-RPC error response. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {unknown} [data]
   */
  constructor(code, message, data) {
    super(message);
    this.error = { code, message, data };
  }
}

export class FakeAgent {
  sessions = 0;
  requests = 0;
  /** @type {Map<unknown, (answer: Message) => void>} open requests to the client */
  open = new Map();
  /** @type {Map<string, Handler>} */
  handlers = new Map();

  /**
   * @param {object} [options]
   * @param {(line: string) => void} [options.write] writes a line, including its line break
   * @param {() => void} [options.onEnd] called when stdin ends
   */
  constructor({ write = (line) => void process.stdout.write(line), onEnd = () => process.exit(0) } = {}) {
    this.write = write;
    this.on('initialize', () => ({
      protocolVersion: 1,
      agentInfo: { name: 'fake', version: '0' },
      agentCapabilities: { sessionCapabilities: { close: {} } },
      authMethods: [],
    }));
    this.on('session/new', () => ({ sessionId: `fake-${++this.sessions}` }));
    this.on('session/close', () => ({}));
    this.on('session/cancel', () => noAnswer);
    this.on('session/prompt', () => {
      this.say('Done.');
      return { stopReason: 'end_turn' };
    });
    createInterface({ input: process.stdin })
      .on('line', (/** @type {string} */ line) => {
        const message = /** @type {Message} */ (parse(line));
        void this.receive(message);
      })
      .on('close', onEnd);
  }

  /**
   * @param {string} method
   * @param {Handler} handler
   */
  on(method, handler) {
    this.handlers.set(method, handler);
  }

  /** @param {unknown} message */
  send(message) {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /**
   * @param {string} method
   * @param {unknown} [params]
   */
  notify(method, params) {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /**
   * @param {string} level
   * @param {string} message
   * @param {object} [more] further fields
   */
  log(level, message, more) {
    this.notify('log', { level, message, ...more });
  }

  /** @param {object} update an update of the newest session */
  update(update) {
    this.notify('session/update', { sessionId: `fake-${this.sessions}`, update });
  }

  /** @param {string} text */
  say(text) {
    this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  /**
   * @param {unknown} id
   * @param {unknown} result
   */
  respond(id, result) {
    this.send({ jsonrpc: '2.0', id, result });
  }

  /**
   * Sends a request to the client and waits for any response.
   * @param {string} method
   * @param {unknown} params
   * @param {unknown} [id]
   * @returns {Promise<Message>}
   */
  request(method, params, id = ++this.requests) {
    const answer = new Promise((resolve) => this.open.set(id, resolve));
    this.send({ jsonrpc: '2.0', id, method, params });
    return /** @type {Promise<Message>} */ (answer);
  }

  /**
   * Asks for permission to run a tool.
   * @param {unknown} [id]
   * @param {unknown} [rawInput] the tool's input
   */
  askPermission(id, rawInput) {
    const toolCall = { toolCallId: 'call-1', title: 'Delete build/', kind: 'delete', status: 'pending', rawInput };
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ];
    const params = { sessionId: `fake-${this.sessions}`, toolCall, options };
    return this.request('session/request_permission', params, id);
  }

  /** @param {Message} message */
  async receive({ id, method, params = {}, ...answer }) {
    if (method === undefined) {
      this.open.get(id)?.(answer);
      this.open.delete(id);
      return;
    }
    const isRequest = id !== undefined;
    try {
      const handler = this.handlers.get(method);
      if (!handler) throw new RpcError(-32601, `Method not found: ${method}`);
      const result = await handler(params, id);
      if (isRequest && result !== noAnswer) this.respond(id, result);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (isRequest) this.send({ jsonrpc: '2.0', id, error: error.error });
    }
  }
}

/**
 * @param {string} line
 * @returns {unknown}
 */
function parse(line) {
  return JSON.parse(line);
}

/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * A number on the command line.
 * @param {number} otherwise
 */
export function numberArgument(otherwise) {
  const [, , text] = process.argv;
  return text === undefined ? otherwise : Number(text);
}
