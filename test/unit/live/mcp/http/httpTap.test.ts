import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { Wire } from '../../../../../src/live/connection/agentConnection';
import { HttpTap } from '../../../../../src/live/mcp/http/httpTap';
import { McpCalls } from '../../../../../src/live/mcp/mcpCalls';
import type { ProcessEvent, WireEvent } from '../../../../../src/wire/wireEvent';
import { useHttpServers } from '../../../../support/httpServers';

const request = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'prompts/list' });
const answer = JSON.stringify({ jsonrpc: '2.0', id: 7, result: { prompts: [] } });
const deepAnswer = answer.replace('[]', () => '['.repeat(20_000) + ']'.repeat(20_000));

describe('HTTP exchanges that end abnormally', () => {
  const serve = useHttpServers();

  /** Result of a POST: the library's response, the logged messages, and the events of the exchange. */
  async function post(
    listener: RequestListener,
  ): Promise<{ readonly answered: string; readonly lines: string[]; readonly befell: ProcessEvent[] }> {
    const url = await serve(listener);
    const lines: string[] = [];
    const befell: ProcessEvent[] = [];
    const wire: Partial<Wire> = {
      maxLineBytes: 1e6,
      maxMessageBytes: 1e7,
      now: () => 0,
      isBehind: () => false,
      onSlice: () => undefined,
      onEvent: (event: WireEvent) => {
        if (event.dir === 'a2c') lines.push(event.line);
      },
      onProcessEvent: (event) => void befell.push(event),
    };
    const tap = new HttpTap(wire as Wire, new McpCalls(), {
      ...{ isStopping: false, onUnreachable: () => undefined, onRefused: () => undefined },
      ...{ onStreamOpen: () => undefined, onStreamEnd: () => undefined },
    });
    const answered = await tap
      .fetch(url, { method: 'POST', body: request })
      .then((response) => response.text())
      .catch((error: unknown) => `failed: ${String(error)}`);
    return { answered, lines, befell };
  }

  it('are reported if the response breaks off', async () => {
    const { answered, befell } = await post((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc"');
      setImmediate(() => response.destroy());
    });
    assert.match(answered, /^failed/);
    const [event] = befell;
    assert.ok(event?.ev === 'http' && event.requestId === 7 && event.message.startsWith('the answer broke off'));
  });

  it('are reported with the status if a refusal breaks off or never ends', async () => {
    for (const ends of [true, false]) {
      const { befell } = await post((_request, response) => {
        response.writeHead(400, { 'content-type': 'text/plain' });
        if (!ends) return void response.write('x'.repeat(100_000));
        response.write('oops');
        setTimeout(() => response.destroy(), 50);
      });
      const [event] = befell;
      assert.ok(event?.ev === 'http' && event.status === 400 && /^(?:oops|x)/.test(event.message));
    }
  });

  it('are read and reported for any success status', async () => {
    const created = await post((_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end(answer);
    });
    assert.deepEqual([created.lines, created.befell], [[answer], []]);
    const empty = await post((_request, response) => void response.writeHead(204).end());
    assert.ok(empty.befell[0]?.ev === 'http' && empty.befell[0].requestId === 7);
  });

  it('are logged on one line, however deep a multi-line response is', async () => {
    const deep = deepAnswer.replace(',', ',\n');
    const { lines } = await post((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(deep);
    });
    assert.ok(lines.length === 1 && lines[0] === deep.replace('\n', ''));
  });

  it('get an error if the response is nested too deeply to pass on', async () => {
    const { answered } = await post((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${deepAnswer}\n\n`);
    });
    assert.match(answered, /^data: .*"id":7,"error":.*nested too deep/);
  });
});
