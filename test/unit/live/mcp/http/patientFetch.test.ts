import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { patientFetch } from '../../../../../src/live/mcp/http/patientFetch';
import { useHttpServers } from '../../../../support/httpServers';

/** Where Node's `fetch` keeps its dispatcher. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

describe('patientFetch', () => {
  const serve = useHttpServers();

  it('waits for headers and body longer than Node does', async () => {
    const url = await serve((request, response) => {
      if (request.method === 'POST') return void setTimeout(() => response.end('late'), 2500);
      response.flushHeaders();
      setTimeout(() => response.end('late'), 2500);
    });
    const globals = globalThis as unknown as Record<symbol, object>;
    await fetch(url, { method: 'HEAD' }).catch(() => undefined); // which creates Node's dispatcher
    const usual = globals[dispatcherKey];
    assert.ok(usual);
    const Agent = usual.constructor as new (options: object) => object;
    globals[dispatcherKey] = new Agent({ headersTimeout: 1, bodyTimeout: 1 });
    try {
      const texts = ['POST', 'GET'].map(async (method) => (await patientFetch(url, { method })).text());
      await assert.rejects(fetch(url, { method: 'POST' }));
      assert.deepEqual(await Promise.all(texts), ['late', 'late']);
    } finally {
      globals[dispatcherKey] = usual;
    }
  });

  it('decompresses unrequested compression while streaming', async () => {
    const coders = { gzip: createGzip, deflate: createDeflate, br: createBrotliCompress };
    const url = await serve((request, response) => {
      const coding = request.headers['x-coding'] as keyof typeof coders;
      const coder = coders[coding]();
      response.writeHead(200, { 'content-encoding': coding });
      coder.pipe(response);
      coder.write('data: one\n\n');
      coder.flush();
      request.resume().on('end', () => setTimeout(() => coder.end('data: two\n\n'), 20));
    });
    for (const coding of Object.keys(coders)) {
      const { body } = await patientFetch(url, { headers: { 'x-coding': coding } });
      const texts: string[] = [];
      for await (const bytes of body as AsyncIterable<Uint8Array>) texts.push(Buffer.from(bytes).toString());
      assert.deepEqual(texts, ['data: one\n\n', 'data: two\n\n'], coding);
    }
    const broken = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'));
    await assert.rejects((await patientFetch(broken)).text());
  });

  it('sends the request, and returns the response unchanged', async () => {
    let got: IncomingMessage | undefined;
    const url = await serve((request, response) => {
      got = request;
      request.on('data', (data: Buffer) => response.writeHead(202, 'So Be It', ['x-a', '1', 'x-a', '2']).end(data));
    });
    const headers = { 'X-Own': 'z' };
    const response = await patientFetch(`${url}mcp?a=b`, { method: 'POST', body: '{"ä":1}', headers });
    assert.deepEqual([response.status, response.statusText, response.headers.get('x-a')], [202, 'So Be It', '1, 2']);
    assert.equal(await response.text(), '{"ä":1}');
    assert.deepEqual([got?.method, got?.url, got?.headers['x-own']], ['POST', '/mcp?a=b', 'z']);
    assert.deepEqual([got?.headers['content-length'], got?.headers['accept-encoding']], ['8', 'identity']);
  });

  it("doesn't follow redirects, and accepts a response without a body", async () => {
    const url = await serve((request, response) => {
      if (request.method === 'GET') response.writeHead(307, { location: '/there' }).end();
      else response.writeHead(204).end();
    });
    const redirected = await patientFetch(url);
    assert.deepEqual([redirected.status, redirected.headers.get('location')], [307, '/there']);
    const empty = await patientFetch(url, { method: 'DELETE' });
    assert.deepEqual([empty.status, empty.body], [204, null]);
  });

  it('fails if there is no response or an invalid one', async () => {
    await assert.rejects(patientFetch('http://127.0.0.1:1/'), { code: 'ECONNREFUSED' });
    await assert.rejects(patientFetch('file:///etc/passwd'), { code: 'ERR_INVALID_PROTOCOL' });
    const url = await serve((_request, response) => void response.writeHead(999).end());
    await assert.rejects(patientFetch(url), /status 999/);
    await assert.rejects(patientFetch(url, { headers: { a: 'ä€' } }), TypeError);
  });

  it('aborts before the response and in the middle of it', async () => {
    let closed = 0;
    const url = await serve((request, response) => {
      response.on('close', () => closed++);
      if (request.method === 'GET') response.write('a beginning');
    });
    for (const method of ['POST', 'GET']) {
      const abort = new AbortController();
      const text = patientFetch(url, { method, signal: abort.signal }).then((response) => response.text());
      setTimeout(() => abort.abort(), 50); // before the response to a POST, and usually in the middle of that to a GET
      await assert.rejects(text);
    }
    const { body } = await patientFetch(url);
    const reader = body?.getReader();
    await reader?.read();
    const pending = reader?.read();
    await reader?.cancel();
    assert.deepEqual(await pending, { done: true, value: undefined });
    while (closed < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('fails if it is aborted in a body that ends with its connection, or if another protocol is requested', async () => {
    const controller = new AbortController();
    const url = await serve((_, response) => {
      response.removeHeader('transfer-encoding');
      response.writeHead(200, { connection: 'close' });
      response.useChunkedEncodingByDefault = false;
      response.write('half');
    });
    const half = (await patientFetch(url, { signal: controller.signal })).text();
    controller.abort();
    await assert.rejects(half, { name: 'AbortError' });
    const raw = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 101 Go\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    await once(raw, 'listening');
    try {
      const { port } = raw.address() as AddressInfo;
      await assert.rejects(patientFetch(`http://127.0.0.1:${port}/`), /connection was closed/);
    } finally {
      raw.close();
    }
  });

  it('fails if the body breaks off', async () => {
    let breakOff = (): void => undefined;
    const url = await serve((_request, response) => {
      response.write('a beginning');
      breakOff = () => response.destroy();
    });
    const response = await patientFetch(url);
    breakOff();
    await assert.rejects(response.text(), { code: 'ECONNRESET' });
  });
});
