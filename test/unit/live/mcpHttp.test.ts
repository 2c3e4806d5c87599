import { inEnglish, t } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Run } from '../../../src/live/run';
import { Cancelled } from '../../../src/time/waiting';
import type { HttpServerOptions } from '../../support/mcpHttpServer';
import { McpHttpServer } from '../../support/mcpHttpServer';
import { isWine, itUnless } from '../../support/platform';
import { textOf, WireNotes } from '../../support/wireNotes';
import type { TestRunOptions } from '../../support/testRun';
import { human, ended, linesOf, recordOf, start, TestRuns } from '../../support/testRun';

describe('an MCP server over HTTP', () => {
  let runs: TestRuns;
  let server: McpHttpServer | undefined;
  beforeEach(() => (runs = new TestRuns()));
  afterEach(async () => {
    await runs.end();
    await server?.close();
    server = undefined;
  });

  async function serve(options: HttpServerOptions = {}): Promise<McpHttpServer> {
    server = await McpHttpServer.start(options);
    return server;
  }

  async function started(
    options: HttpServerOptions = {},
    runOptions: TestRunOptions = {},
  ): Promise<{ run: Run; wire: WireNotes; server: McpHttpServer }> {
    const there = await serve(options);
    const run = runs.createRemote(there.url, runOptions);
    const wire = new WireNotes(run);
    await start(run);
    return { run, wire, server: there };
  }

  it('is initialized, called and closed', async () => {
    const there = await serve();
    const run = runs.createRemote(there.url, { headers: { Authorization: 'Bearer abc' }, level: 'critical' });
    const wire = new WireNotes(run);
    await start(run);
    assert.equal(run.pid, undefined);
    const result = await run.callTool('work', {});
    assert.equal(textOf(result), 'worked');
    assert.equal(linesOf(run, 'log').length, 3);
    assert.deepEqual(wire.methods, [
      'server/discover',
      'initialize',
      'notifications/initialized',
      'logging/setLevel',
      'tools/call',
    ]);
    const termination = await run.stop();
    assert.deepEqual(termination, { reason: 'completed', terminatedBy: 'client', message: t('disconnected') });
    assert.ok(there.requests.every(({ headers }) => headers.authorization === 'Bearer abc'));
    assert.equal(there.requests.at(-1)?.method, 'DELETE');
    assert.equal(wire.processEvents[0], 'connect');
    assert.deepEqual(wire.processEvents.slice(-2), ['disconnect', 'end']);
  });

  it('records every message on the wire unchanged, in both directions', async () => {
    const { run, wire } = await started();
    await run.callTool('echo', { text: 'ä\u2028' });
    const lines = wire.events.flatMap((event) => (event.dir === 'a2c' || event.dir === 'c2a' ? [event] : []));
    assert.ok(lines.every(({ line, msg }) => line === JSON.stringify(msg)));
    assert.deepEqual(
      wire.messages('a2c').map(({ id }) => id),
      wire.messages('c2a').flatMap(({ id }) => id ?? []),
    );
  });

  it('may answer as JSON', async () => {
    const { run, wire } = await started({ json: true });
    assert.equal(textOf(await run.callTool('echo', { a: 1 })), '{"a":1}');
    await assert.rejects(run.callTool('refuse', {}), human(/refused tools\/call: No such thing$/));
    assert.ok(wire.events.every((event) => event.dir === 'ev' || !event.line.includes('\n')));
  });

  it('2026-07-28: is used without a session, and cancellation is visible', async () => {
    const { run, wire } = await started({ era: 'modern' }, { level: 'alert' });
    assert.deepEqual(wire.methods, ['server/discover']);
    await run.callTool('work', {});
    assert.equal(linesOf(run, 'log').length, 2);
    const call = run.callTool('hang', {});
    const { id = '' } = await wire.until(() => wire.sent('tools/call')[1]);
    await Promise.all([assert.rejects(call, Cancelled), run.cancel({ requestId: id })]);
    const closed = await wire.until(() =>
      wire.events.find((event) => event.dir === 'ev' && event.ev === 'stream-close'),
    );
    assert.deepEqual(closed, {
      t: closed.t,
      dir: 'ev',
      ev: 'stream-close',
      message: 'cancelled by the user',
      cancels: id,
    });
    assert.deepEqual(run.log.requests, []);
  });

  it('is notified of a cancelled call', async () => {
    const { run, wire } = await started();
    const call = run.callTool('hang', {});
    const { id = '' } = await wire.untilSent('tools/call');
    await Promise.all([assert.rejects(call, Cancelled), run.cancel({ requestId: id })]);
    assert.equal((await wire.untilSent('notifications/cancelled')).params?.['reason'], 'cancelled by the user');
  });

  it('reports how to log in if it requires authorization', async () => {
    const { url } = await serve({ statuses: [401, 401] });
    const run = runs.createRemote(url);
    const wire = new WireNotes(run);
    await assert.rejects(
      start(run),
      human(/^The server requires authorization \(HTTP 401\): No, 401\. Check its `headers`/),
    );
    const refused = wire.events.find((event) => event.dir === 'ev' && event.ev === 'http');
    assert.deepEqual(
      { ...refused, t: 0 },
      {
        t: 0,
        dir: 'ev',
        ev: 'http',
        method: 'POST',
        status: 401,
        message: 'No, 401.',
        requestId: 'server-discover-probe-1',
      },
    );
    assert.equal(run.state.type === 'ended' && run.state.termination.reason, 'error');
  });

  it('may redirect, and every message is still recorded once', async () => {
    const { run, wire } = await started({ redirects: true });
    assert.equal(textOf(await run.callTool('echo', {})), '{}');
    assert.equal(wire.sent('tools/call').length, 1);
    await Promise.all([run.callTool('echo', {}), run.callTool('echo', {}), run.callTool('echo', {})]);
    assert.equal(wire.sent('tools/call').length, 4);
    assert.deepEqual(run.log.requests, []);
  });

  it("fails all calls if several broken streams can't be resumed after one event", async () => {
    const { run, server: there } = await started();
    there.numbersEvents = false;
    const calls = [1, 2].map(() => run.callTool('cut', { first: 'progress' }));
    for (const call of calls) await assert.rejects(call, human(/ended the exchange without an answer/));
    assert.deepEqual(run.log.requests, []);
  });

  it('is reported with its URL if unreachable', async () => {
    const { url } = await serve();
    await server?.close();
    server = undefined;
    const run = runs.createRemote(url);
    await assert.rejects(
      start(run),
      human(/^No response from http:\/\/127\.0\.0\.1:\d+\/mcp: the connection was refused\./),
    );
    assert.deepEqual(run.state.type, 'ended');
  });

  it("is reported if it doesn't use TLS", async () => {
    const { url } = await serve();
    await assert.rejects(
      start(runs.createRemote(url.replace('http:', 'https:'))),
      human(/^The server at https:\/\/127\.0\.0\.1:\d+\/mcp doesn't use TLS\. Use http:\/\/ in its `url`/),
    );
  });

  it('is reported if the URL is a web page', async () => {
    const page = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<html></html>'));
    await once(page.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = page.address() as AddressInfo;
      const started = start(runs.createRemote(`http://127.0.0.1:${port}/mcp`));
      await assert.rejects(started, human(/^The `url` leads to a web page, not to an MCP server\. Correct it/));
    } finally {
      page.close();
    }
  });

  it('is reported if the path is wrong', async () => {
    const { url } = await serve({ statuses: [404, 404, 404] });
    await assert.rejects(
      start(runs.createRemote(url)),
      human(/^There is no MCP server at http:\/\/127\.0\.0\.1:\d+\/mcp \(HTTP 404\): No, 404\. Correct its `url`/),
    );
  });

  it('is reported with its own error if it fails', async () => {
    const { run, server: there } = await started();
    there.mcp.handlers.set('tools/list', () => ({ tools: 'none' }));
    await assert.rejects(run.listTools(), human(/^Couldn't send tools\/list to Remote: Invalid result/));
    const failing = await McpHttpServer.start({ statuses: [500] });
    await assert.rejects(
      start(runs.createRemote(failing.url)),
      human(/answered POST with HTTP 500: No, 500\. The server has a problem/),
    );
    await failing.close();
  });

  it('falls back to the older transport', async () => {
    const { run, wire, server: there } = await started({ old: true }, { level: 'error' });
    assert.equal(textOf(await run.callTool('echo', { a: 1 })), '{"a":1}');
    there.log('something is wrong');
    await recordOf(run, ({ kind, message }) => kind === 'log' && message.includes('something is wrong'));
    assert.equal(wire.messages('a2c').filter(({ method }) => method === 'notifications/message').length, 1);
    there.endStream();
    const termination = await ended(run);
    assert.deepEqual([termination.reason, termination.terminatedBy], ['error', 'agent']);
    assert.equal(inEnglish(termination.message!), 'connection lost: the server closed its event stream');
  });

  it('may close its stream, which is resumed where it was', async () => {
    const there = await serve({ listens: true });
    const run = runs.createRemote(there.url, { level: 'error' });
    const wire = new WireNotes(run);
    const listened = (): Promise<string | undefined> =>
      new Promise((resolve) => {
        there.mcp.tools.set('onListen', ({ params }) => resolve(params['last-event-id'] as string | undefined));
      });
    const first = listened();
    await start(run);
    await first;
    there.log('before');
    await recordOf(run, ({ message }) => message.includes('before'));
    const second = listened();
    there.endStream();
    assert.match((await second) ?? '', /^\d+$/);
    there.log('after');
    await recordOf(run, ({ message }) => message.includes('after'));
    assert.deepEqual(wire.processEvents.slice(-2), ['stream-close', 'reconnect']);
    assert.equal(run.state.type, 'running');
  });

  it('fails a call that it cuts off', async () => {
    const { run, wire } = await started();
    await assert.rejects(run.callTool('cut', {}), human(/the server ended the exchange without an answer/));
    const failed = wire.events.flatMap((event) => (event.dir === 'ev' && event.ev === 'http' ? [event.requestId] : []));
    assert.ok(failed.includes(wire.sent('tools/call')[0]?.id));
    assert.deepEqual(run.log.requests, []);
    assert.equal(textOf(await run.callTool('echo', {})), '{}');
  });

  it('is asked for the rest if its response breaks off', async () => {
    const { run, wire, server: there } = await started({ listens: true });
    const call = run.callTool('cut', { first: 'progress' });
    const { id } = await wire.untilSent('tools/call');
    await there.untilStreams(2);
    there.answer(id, { content: [{ type: 'text', text: 'the rest' }] });
    assert.equal(textOf(await call), 'the rest');
    assert.deepEqual(wire.processEvents.slice(-2), ['stream-close', 'reconnect']);
  });

  it("fails a call that breaks off and can't be resumed", async () => {
    const { run } = await started();
    await assert.rejects(run.callTool('cut', { first: 'progress' }), human(/ended the exchange without an answer/));
    assert.equal(run.state.type, 'running');
  });

  it('is lost if it goes away in the middle', async () => {
    const { run, server: there } = await started();
    await there.close();
    server = undefined;
    await assert.rejects(
      run.callTool('echo', {}),
      human(/^Remote lost its connection \(nothing answers any more: .+\) before it/),
    );
    const termination = await ended(run);
    assert.deepEqual([termination.reason, termination.terminatedBy], ['error', 'agent']);
    assert.match(inEnglish(termination.message!), /^connection lost: nothing answers any more/);
  });

  it('is lost if it forgot the session', async () => {
    const { run, server: there } = await started();
    there.refuseNext(404);
    await assert.rejects(run.callTool('echo', {}), human(/HTTP 404|doesn't know the session/));
    assert.match(inEnglish((await ended(run)).message!), /doesn't know the session any more/);
  });

  it('may exceed the size limit in a response', async () => {
    const limits = { maxLineBytes: 64 * 1024, maxMessageBytes: 128 * 1024 };
    for (const json of [false, true]) {
      const { run, wire, server: there } = await started({ json }, { limits });
      there.mcp.tools.set('huge', () => 'x'.repeat(200_000));
      await assert.rejects(run.callTool('huge', {}), human(/200\d{3} bytes, over the limit of 131072 bytes/));
      const long = wire.events.find((event) => event.dir === 'a2c' && event.bytes !== undefined);
      assert.ok(long && 'line' in long && long.line.length <= 4096 && long.line.startsWith('{'));
      await there.close();
    }
    server = undefined;
  });

  itUnless(isWine, 'Wine aborts a connection that thousands of writes wait for')(
    'may flood us, which loses nothing',
    async () => {
      const { run } = await started({}, { level: 'error' });
      await run.callTool('flood', { count: 5000 });
      assert.equal(linesOf(run, 'log').length, 5000);
    },
  );

  it('is not waited for when the start is cancelled', async () => {
    const { url, mcp } = await serve();
    const asked = new Promise<void>((resolve) => {
      mcp.handlers.set('server/discover', () => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    const run = runs.createRemote(url);
    const starting = assert.rejects(start(run), Cancelled);
    await asked;
    await run.stop();
    await starting;
  });
});
