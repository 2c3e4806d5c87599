import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/text/json';
import { objectOf } from '../../src/text/json';
import { writeChatCompletion } from './mockChat';
import { chatOf, wholeGenerated, writeGenerated } from './mockGemini';
import { wholeMessage, writeMessage } from './mockMessages';
import { writeResponse } from './mockResponses';
import { mockTurn } from './mockTurn';

/** `ok`: a tool call, then text. `hang`: starts a response that never ends. `500`, `429`: fails with that status. */
export type MockMode = 'ok' | 'hang' | '500' | '429';

/** A model server on the loopback interface that needs no API key and speaks OpenAI's two protocols, Anthropic's and Gemini's. Its output is fixed. */
export class MockModel {
  /** Number of requests for a completion so far. */
  requests = 0;

  private constructor(
    private readonly server: Server,
    /** Base URL for the agents' settings. */
    readonly url: string,
  ) {}

  static async start(mode: MockMode): Promise<MockModel> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const model = new MockModel(server, `http://127.0.0.1:${port}/v1`);
    server.on('request', (request, response) => void model.answer(request, response, mode));
    return model;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse, mode: MockMode): Promise<void> {
    if (request.method === 'GET') {
      sendJson(response, 200, { object: 'list', data: [{ id: 'mock', object: 'model' }], models: [] });
      return;
    }
    const number = ++this.requests;
    const body = await bodyOf(request);
    if (mode === '500') {
      sendJson(response, 500, { error: { message: 'mock 500' } });
      return;
    }
    if (mode === '429') {
      response.setHeader('retry-after', '1');
      sendJson(response, 429, { error: { message: 'mock rate limit' } });
      return;
    }
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    if (pathname.endsWith('/count_tokens')) {
      sendJson(response, 200, { input_tokens: 100 });
      return;
    }
    const isGenerate = /:(?:streamG|g)enerateContent$/.test(pathname);
    const turn = mockTurn(number, isGenerate ? chatOf(body) : body, mode === 'hang');
    if (pathname.endsWith(':generateContent')) {
      sendJson(response, 200, wholeGenerated(turn));
      return;
    }
    const isMessages = pathname.endsWith('/messages');
    if (isMessages && body['stream'] !== true) {
      sendJson(response, 200, wholeMessage(turn));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (isGenerate) {
      writeGenerated(response, turn);
      return;
    }
    if (isMessages) return writeMessage(response, turn);
    if (pathname.endsWith('/responses')) return writeResponse(response, turn);
    writeChatCompletion(response, turn);
  }
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
