import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { Redactor } from '../../../../src/redact/redactor';
import { inEnglish } from '../../../../src/text/translator';
import type { CheckedServer } from '../../../../src/mcpServers/check/checkedServer';
import type { CheckTarget } from '../../../../src/mcpServers/check/checkTarget';
import { checkServer } from '../../../../src/mcpServers/check/checkServer';
import { ProcessReaper } from '../../../../src/live/process/processReaper';
import { McpHttpServer } from '../../../support/mcpHttpServer';

describe('the check-up of remote MCP servers', () => {
  const remote = (url: string): CheckTarget => ({
    name: 'remote',
    label: 'remote',
    clients: [{ id: 'claude', label: 'Claude Code' }],
    file: '/x/.mcp.json',
    start: { type: 'http', transport: 'http', url, headers: {} },
    cwd: tmpdir(),
    asksUser: false,
  });

  async function checkOne(one: CheckTarget, timeout = 20_000): Promise<CheckedServer> {
    const reaper = new ProcessReaper();
    const options = { reaper, redactor: new Redactor(), version: '0', env: process.env, timeout };
    try {
      return await checkServer(one, options, new AbortController().signal);
    } finally {
      reaper.dispose();
    }
  }

  function failure({ failure: why }: CheckedServer): string {
    return why ? inEnglish(why.message) : '';
  }

  it('uses HTTP', async () => {
    const http = await McpHttpServer.start();
    try {
      const server = await checkOne(remote(http.url));
      assert.equal(failure(server), '');
      assert.ok(server.tools.length > 0);
    } finally {
      await http.close();
    }
  });

  it('does not log in, and says that a login is needed', async () => {
    const http = await McpHttpServer.start({ statuses: [401, 401, 401] });
    try {
      const server = await checkOne(remote(http.url));
      assert.match(failure(server), /^The server requires authorization \(HTTP 401\)/);
      assert.equal(server.failure?.needsLogin, true);
    } finally {
      await http.close();
    }
  });

  it('gives up on one that never answers, and on one whose answer never ends', async () => {
    for (const starts of [false, true]) {
      const silent = createServer((_, response) => {
        if (!starts) return;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const pouring = setInterval(() => response.write(`: ${'x'.repeat(100_000)}\n`), 5);
        response.once('close', () => clearInterval(pouring));
      });
      await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
      const { port } = silent.address() as AddressInfo;
      try {
        const server = await checkOne(remote(`http://127.0.0.1:${port}/mcp`), 700);
        assert.equal(failure(server), 'No answer within 700 ms, so it was stopped');
      } finally {
        silent.closeAllConnections();
        silent.close();
      }
    }
  });

  it('says what the server answered, whatever else it refused before', async () => {
    const http = createServer((request, response) => {
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
    });
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    try {
      const { port } = http.address() as AddressInfo;
      const server = await checkOne(remote(`http://127.0.0.1:${port}/mcp`));
      assert.match(failure(server), /The database is down/);
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });

  it('says that there is no server', async () => {
    assert.match(failure(await checkOne(remote('http://127.0.0.1:9/mcp'))), /^No response from http:/);
    assert.equal(failure(await checkOne(remote('not a url'))), 'The `url` is no address');
  });
});
