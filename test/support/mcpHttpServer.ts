import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { OAuthServer } from './oauthServer';
import { FakeMcpServer, noAnswer } from '../fakeAgents/lib/fakeMcpServer.mjs';

type Message = Parameters<FakeMcpServer['receive']>[0];

export interface HttpServerOptions {
  readonly era?: 'legacy' | 'modern';
  /** Statuses of the first responses, instead of normal ones. */
  readonly statuses?: readonly number[];
  /** Responds with JSON instead of a stream. */
  readonly json?: boolean;
  /** Supports only the transport of 2024-11-05: a GET stream that names the URL to POST to. */
  readonly old?: boolean;
  /** Redirects to another path. */
  readonly redirects?: boolean;
  /** Supports a GET stream. */
  readonly listens?: boolean;
  /** Asks for a login. */
  readonly oauth?: OAuthServer;
}

/** The `retry` of the stream, in milliseconds. */
const retryMs = 20;

/** A fake MCP server over HTTP on a free port. */
export class McpHttpServer {
  readonly mcp: FakeMcpServer;
  /** Requests such as `POST /mcp`, with the relevant headers. */
  readonly requests: { readonly method: string; readonly headers: IncomingMessage['headers'] }[] = [];
  /** Whether events are numbered across streams, as they should be. */
  numbersEvents = true;
  private readonly http = createServer((request, response) => void this.serve(request, response));
  private readonly sockets = new Set<Socket>();
  private readonly statuses: number[];
  private stream: ServerResponse | undefined;
  private events = 0;
  private streams = 0;
  private readonly opened = new EventEmitter();

  private constructor(private readonly options: HttpServerOptions) {
    this.mcp = new FakeMcpServer({ era: options.era ?? 'legacy' });
    this.statuses = [...(options.statuses ?? [])];
    this.http.on('connection', (socket) => this.sockets.add(socket));
  }

  static async start(options: HttpServerOptions = {}): Promise<McpHttpServer> {
    const server = new McpHttpServer(options);
    await new Promise<void>((resolve) => server.http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/mcp`;
  }

  /** Sends a log line on the GET stream. */
  log(data: string): void {
    const params = { level: 'error', logger: 'fake', data };
    this.write(this.stream, { jsonrpc: '2.0', method: 'notifications/message', params });
  }

  /** Sends a response on the GET stream. */
  answer(id: unknown, result: object): void {
    this.write(this.stream, { jsonrpc: '2.0', id, result });
  }

  /** Settles when the given number of GET streams were opened in total. */
  async untilStreams(count: number): Promise<void> {
    while (this.streams < count) await once(this.opened, 'stream');
  }

  /** Ends the GET stream. */
  endStream(): void {
    this.stream?.end();
    this.stream = undefined;
  }

  /** Responds to the next request with a status. */
  refuseNext(status: number): void {
    this.statuses.push(status);
  }

  /** Closes all connections and stops responding. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.http.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    this.requests.push({ method, headers });
    const body = await bodyOf(request);
    if (this.options.oauth?.answer(request, response, body) === true) return;
    const status = this.statuses.shift();
    if (this.options.redirects === true && request.url === '/mcp') {
      return void response.writeHead(307, { location: '/elsewhere' }).end();
    }
    if (status !== undefined) return void response.writeHead(status).end(`No, ${status}.`);
    if (this.options.old === true) return this.answerOld(request, response, body);
    if (method === 'POST') return this.answerPost(response, JSON.parse(body) as Message);
    if (method !== 'GET' || this.options.listens !== true) return void response.writeHead(405).end();
    // The response's headers must not wait for the first event.
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    response.write(`retry: ${retryMs}\n\n`);
    this.stream = response;
    this.opened.emit('stream', ++this.streams);
    this.mcp.tools.get('onListen')?.({ params: headers, id: 0, send: () => undefined, progress: () => undefined });
  }

  private async answerPost(response: ServerResponse, message: Message): Promise<void> {
    if (message.id === undefined || message.method === undefined) {
      await this.mcp.receive(message, () => undefined);
      return void response.writeHead(202).end();
    }
    const session = message.method === 'initialize' ? { 'mcp-session-id': 'session-1' } : {};
    if (this.options.json === true) {
      const sent: Message[] = [];
      await this.mcp.receive(message, (one) => sent.push(one));
      const answer = sent.find(({ id, method }) => id === message.id && method === undefined);
      return void response
        .writeHead(200, { 'content-type': 'application/json', ...session })
        .end(JSON.stringify(answer, undefined, 2));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...session }).flushHeaders();
    this.mcp.tools.set('cut', ({ params, progress }) => {
      if ('first' in (params['arguments'] as object)) {
        progress(1);
        response.end();
      } else response.destroy();
      return noAnswer;
    });
    await this.mcp.receive(message, (one) => {
      this.write(response, one);
      if (one.id === message.id && one.method === undefined) response.end();
    });
  }

  private async answerOld({ method, url }: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages?session=1\n\n');
      this.stream = response;
    } else if (method === 'POST' && url?.startsWith('/messages') === true) {
      response.writeHead(202).end('Accepted');
      await this.mcp.receive(JSON.parse(body) as Message, (one) => this.write(this.stream, one));
    } else response.writeHead(404).end('Cannot POST /mcp');
  }

  private write(response: ServerResponse | undefined, message: Message): void {
    const id = this.numbersEvents ? ++this.events : 'the same';
    response?.write(
      `: a comment\r\nretry: ${retryMs}\r\nevent: message\r\nid: ${id}\r\ndata: ${JSON.stringify(message)}\r\n\r\n`,
    );
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
