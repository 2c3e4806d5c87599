import { inEnglish, t } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import type { LogRecord } from '../../../src/text/record';
import type { Run } from '../../../src/live/run';
import { Cancelled } from '../../../src/time/waiting';
import type { HttpServerOptions } from '../../support/mcpHttpServer';
import { McpHttpServer } from '../../support/mcpHttpServer';
import { isWine, itUnless } from '../../support/platform';
import { column } from '../../support/columns';
import { useHttpServers } from '../../support/httpServers';
import { startNoting, textOf, WireNotes } from '../../support/wireNotes';
import { human, ended, linesOf, recordOf, start, TestRuns } from '../../support/testRun';

describe('an MCP server over HTTP', () => {
  const runs = TestRuns.ofSuite();
  const servePage = useHttpServers();
  let server: McpHttpServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function serve(options: HttpServerOptions = {}): Promise<McpHttpServer> {
    return (server = await McpHttpServer.start(options));
  }

  async function started(
    options: HttpServerOptions = {},
    runOptions: Parameters<TestRuns['createRemote']>[1] = {},
  ): Promise<{ run: Run; wire: WireNotes; server: McpHttpServer }> {
    const there = await serve(options);
    return { ...(await startNoting(runs.createRemote(there.url, runOptions))), server: there };
  }

  /** The only problem of a run that can't start, which has the words of its notification. */
  async function failing(url: string, message: RegExp): Promise<void> {
    const run = runs.createRemote(url);
    let notified = '';
    await assert.rejects(start(run), (error: Error) => human(message)(error) && ((notified = error.message), true));
    assert.equal((await ended(run)).reason, 'error');
    const brief = ({ level, message: text }: LogRecord): string => `${level} ${text}`;
    assert.deepEqual(run.log.store.query({ kinds: ['diagnosis'] }).map(brief), [`error ${notified}`]);
  }

  it('is initialized, called and closed', async () => {
    const headers = { Authorization: 'Bearer abc' };
    const { run, wire, server: there } = await started({}, { headers, level: 'critical' });
    assert.equal(run.pid, undefined);
    assert.equal(textOf(await run.callTool('work', {})), 'worked');
    assert.equal(linesOf(run, 'log').length, 3);
    const greeting = ['server/discover', 'initialize', 'notifications/initialized', 'logging/setLevel'];
    assert.deepEqual(wire.methods, [...greeting, 'tools/call']);
    const end = { reason: 'completed', terminatedBy: 'client', message: t('disconnected') };
    assert.deepEqual(await run.stop(), end);
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
    const asked = wire.messages('c2a').flatMap(({ id }) => id ?? []);
    assert.deepEqual(column(wire.messages('a2c'), 'id'), asked);
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
    const closed = await wire.until(() => wire.events.find((one) => one.dir === 'ev' && one.ev === 'stream-close'));
    const message = 'cancelled by the user';
    assert.deepEqual(closed, { t: closed.t, dir: 'ev', ev: 'stream-close', message, cancels: id });
    assert.deepEqual(run.log.requests, []);
  });

  it('reports how to log in if it requires authorization', async () => {
    const { url } = await serve({ statuses: [401, 401] });
    const run = runs.createRemote(url);
    const wire = new WireNotes(run);
    const how = human(/^The server requires authorization \(HTTP 401\): No, 401\. Check its `headers`/);
    await assert.rejects(start(run), how);
    const refused = wire.events.find((event) => event.dir === 'ev' && event.ev === 'http');
    const about = { method: 'POST', status: 401, message: 'No, 401.', requestId: 'server-discover-probe-1' };
    assert.deepEqual(refused, { t: refused?.t, dir: 'ev', ev: 'http', ...about });
    assert.equal(run.state.type === 'ended' && run.state.termination.reason, 'error');
  });

  const reasons: readonly (readonly [status: number, RegExp])[] = [
    [400, /^The server answered POST with HTTP 400: No, 400\. Check its `url` and `headers`/],
    [401, /^The server requires authorization \(HTTP 401\)/],
    [403, /\(HTTP 403\): No, 403\./],
    [404, /^There is no MCP server at http:\/\/127\.0\.0\.1:\d+\/mcp \(HTTP 404\): No, 404\. Correct its `url`/],
    [500, /answered POST with HTTP 500: No, 500\. The server has a problem/],
  ];
  for (const [status, message] of reasons) {
    it(`has one problem with the words of its notification: HTTP ${status}`, async () => {
      await failing((await serve({ statuses: Array<number>(6).fill(status) })).url, message);
    });
  }

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
    assert.equal(run.state.type, 'running');
  });

  it('is reported with its URL if unreachable', async () => {
    const { url } = await serve();
    await server?.close();
    server = undefined;
    await failing(url, /^No response from http:\/\/127\.0\.0\.1:\d+\/mcp: the connection was refused\. Check that the/);
  });

  it("is reported if it doesn't use TLS, or if the URL is a web page", async () => {
    const url = (await serve()).url.replace('http:', 'https:');
    const page = await servePage((_, response) => response.setHeader('content-type', 'text/html').end('<html></html>'));
    const plain = /^The server at https:\/\/127\.0\.0\.1:\d+\/mcp doesn't use TLS\. Use http:\/\/ in its `url`/;
    await failing(url, plain);
    await failing(`${page}mcp`, /^The `url` leads to a web page, not to an MCP server\. Correct it/);
  });

  it('is reported with its own error if it fails', async () => {
    const { run, server: there } = await started();
    there.mcp.handlers.set('tools/list', () => ({ tools: 'none' }));
    await assert.rejects(run.listTools(), human(/^Couldn't send tools\/list to Remote: Invalid result/));
  });

  it('falls back to the older transport', async () => {
    const { run, wire, server: there } = await started({ old: true }, { level: 'error' });
    assert.equal(textOf(await run.callTool('echo', { a: 1 })), '{"a":1}');
    there.log('something is wrong');
    await recordOf(run, ({ kind, message }) => kind === 'log' && message.includes('something is wrong'));
    assert.equal(wire.messages('a2c').filter(({ method }) => method === 'notifications/message').length, 1);
    there.endStream();
    const { reason, terminatedBy, message } = await ended(run);
    assert.deepEqual([reason, terminatedBy], ['error', 'agent']);
    assert.equal(inEnglish(message!), 'connection lost: the server closed its event stream');
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

  it('is lost if it goes away in the middle', async () => {
    const { run, server: there } = await started();
    await there.close();
    server = undefined;
    const lost = human(/^Remote lost its connection \(nothing answers any more: .+\) before it/);
    await assert.rejects(run.callTool('echo', {}), lost);
    const { reason, terminatedBy, message } = await ended(run);
    assert.deepEqual([reason, terminatedBy], ['error', 'agent']);
    assert.match(inEnglish(message!), /^connection lost: nothing answers any more/);
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
