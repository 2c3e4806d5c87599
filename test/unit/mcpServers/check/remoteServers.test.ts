import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { Redactor } from '../../../../src/redact/redactor';
import { inEnglish } from '../../../../src/text/translator';
import type { CheckedServer } from '../../../../src/mcpServers/check/checkedServer';
import type { CheckTarget } from '../../../../src/mcpServers/check/checkTarget';
import { checkServer } from '../../../../src/mcpServers/check/checkServer';
import { ProcessReaper } from '../../../../src/live/process/processReaper';
import { checkTarget } from '../../../support/checkTarget';
import { useHttpServers } from '../../../support/httpServers';
import { McpHttpServer } from '../../../support/mcpHttpServer';

describe('the check-up of remote MCP servers', () => {
  const serve = useHttpServers();
  const remote = (url: string): CheckTarget =>
    checkTarget('remote', { type: 'http', transport: 'http', url, headers: {} });

  async function checkOne(one: CheckTarget, timeout = 20_000): Promise<CheckedServer> {
    const reaper = new ProcessReaper();
    const options = { reaper, redactor: new Redactor(), version: '0', env: process.env, timeout };
    try {
      return await checkServer(one, options, new AbortController().signal);
    } finally {
      reaper.dispose();
    }
  }

  const checkAt = async (listener: RequestListener, timeout?: number): Promise<CheckedServer> =>
    checkOne(remote(`${await serve(listener)}mcp`), timeout);

  async function checkMcp(options?: Parameters<typeof McpHttpServer.start>[0]): Promise<CheckedServer> {
    const http = await McpHttpServer.start(options);
    return checkOne(remote(http.url)).finally(() => http.close());
  }

  function failure({ failure: why }: CheckedServer): string {
    return why ? inEnglish(why.message) : '';
  }

  it('uses HTTP', async () => {
    const server = await checkMcp();
    assert.deepEqual([failure(server), server.tools.length > 0], ['', true]);
  });

  it('does not log in, and says that a login is needed', async () => {
    const server = await checkMcp({ statuses: [401, 401, 401] });
    assert.match(failure(server), /^The server requires authorization \(HTTP 401\)/);
    assert.equal(server.failure?.needsLogin, true);
  });

  it('gives up on one that never answers, and on one whose answer never ends', async () => {
    for (const starts of [false, true]) {
      const silent: RequestListener = (_, response) => {
        if (!starts) return;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const pouring = setInterval(() => response.write(`: ${'x'.repeat(100_000)}\n`), 5);
        response.once('close', () => clearInterval(pouring));
      };
      assert.equal(failure(await checkAt(silent, 700)), 'No answer within 700 ms, so it was stopped');
    }
  });

  it('says what the server answered, whatever else it refused before', async () => {
    const http: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        // As servers do that have no stream of their own.
        if (request.method !== 'POST') return void response.writeHead(405).end();
        const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number; method: string };
        if (id === undefined) return void response.writeHead(202).end();
        const answer =
          method === 'initialize'
            ? { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x' } } }
            : { error: { code: -32603, message: 'The database is down' } };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    };
    assert.match(failure(await checkAt(http)), /The database is down/);
  });

  it('says that there is no server', async () => {
    assert.match(failure(await checkOne(remote('http://127.0.0.1:9/mcp'))), /^No response from http:/);
    assert.equal(failure(await checkOne(remote('not a url'))), 'The `url` is no address');
  });
});
