// @ts-check
// A well-behaved language server over stdio, on which the misbehaving fake servers are built. No dependencies.

/**
 * @typedef {Record<string, unknown>} Params
 * @typedef {{ jsonrpc?: string, id?: unknown, method?: string, params?: Params, result?: unknown, error?: unknown }} Message
 */

/** Returned by a handler to send no answer. */
export const noAnswer = Symbol('no answer');

const header = /Content-Length: (\d+)\r\n\r\n/;

export class FakeLspServer {
  requests = 0;
  /** @type {Message[]} everything that the client has sent */
  received = [];
  /** @type {Map<unknown, (answer: Message) => void>} open requests to the client */
  open = new Map();
  /** @type {Map<string, (params: Params) => unknown>} by method; return values for notifications are ignored */
  handlers = new Map(
    /** @type {[string, (params: Params) => unknown][]} */ ([
      ['initialize', () => ({ capabilities: { hoverProvider: true }, serverInfo: { name: 'fake-lsp', version: '0' } })],
      ['shutdown', () => null],
      ['exit', () => process.exit(this.received.some(({ method }) => method === 'shutdown') ? 0 : 1)],
    ]),
  );

  /** @param {Message} message */
  send(message) {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  /**
   * @param {string} method
   * @param {unknown} params
   */
  notify(method, params) {
    this.send({ method, params: /** @type {Params} */ (params) });
  }

  /**
   * @param {number} type
   * @param {string} message
   */
  log(type, message) {
    this.notify('window/logMessage', { type, message });
  }

  /**
   * Sends a request to the client and waits for any response.
   * @param {string} method
   * @param {Params} [params]
   * @returns {Promise<Message>}
   */
  request(method, params) {
    const id = this.requests++;
    const answer = new Promise((resolve) => this.open.set(id, resolve));
    this.send({ id, method, ...(params && { params }) });
    return /** @type {Promise<Message>} */ (answer);
  }

  /** @param {Message} message */
  async receive(message) {
    this.received.push(message);
    const { id, method, params = {}, result, error } = message;
    if (method === undefined) {
      this.open.get(id)?.(error === undefined ? { result } : { error });
      this.open.delete(id);
      return;
    }
    const handler = this.handlers.get(method);
    const answer = handler ? await handler(params) : noAnswer;
    if (id === undefined || (handler && answer === noAnswer)) return;
    if (answer instanceof Error) this.send({ id, error: { code: -32603, message: answer.message } });
    else if (handler) this.send({ id, result: answer });
    else this.send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }

  serve() {
    let held = Buffer.alloc(0);
    process.stdin.on('data', (/** @type {Buffer} */ chunk) => {
      held = Buffer.concat([held, chunk]);
      for (let found = header.exec(held.toString('latin1')); found; found = header.exec(held.toString('latin1'))) {
        const start = found.index + found[0].length;
        const end = start + Number(found[1]);
        if (held.length < end) return;
        const text = held.toString('utf8', start, end);
        held = held.subarray(end);
        /** @type {unknown} */
        const message = JSON.parse(text);
        void this.receive(/** @type {Message} */ (message));
      }
    });
    process.stdin.on('end', () => process.exit(1));
  }
}
