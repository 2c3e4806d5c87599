import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWindows, itIfStdoutCloses, killed } from '../support/platform';
import type { RawMessage } from '../support/rawAcpClient';
import { RawAcpClient } from '../support/rawAcpClient';

const folder = join(__dirname, '../fakeAgents');

/** What each fake agent is for, seen from its client. */
const behaviour: Record<string, (client: RawAcpClient) => Promise<void>> = {
  async silent(client) {
    initialize(client).catch(() => undefined);
    client.end();
    assert.deepEqual(await client.exit, { code: 0, signal: null });
    await client.closed;
    assert.equal(client.chunks.length, 0);
  },

  async crashesAtOnce(client) {
    assert.deepEqual(await client.exit, { code: 3, signal: null });
    await client.closed;
    assert.equal(client.stderr, 'fatal: no configuration was found\n');
  },

  async crashesInTurn(client) {
    sendPrompt(client, await newSession(client));
    assert.deepEqual(await client.exit, { code: 7, signal: null });
    await client.closed;
    assert.equal(client.said, 'Working…');
    assert.match(client.stderr, /^Error: The turn failed\n +at /);
  },

  async diesBySignal(client) {
    sendPrompt(client, await newSession(client));
    assert.deepEqual(await client.exit, killed);
  },

  async logsTrace(client) {
    assert.deepEqual(await prompt(client, await newSession(client)), { stopReason: 'end_turn' });
    const traces = client
      .received('log')
      .map((params) => (params['_meta'] as Record<string, string> | undefined)?.['traceparent']);
    assert.deepEqual(traces, ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined]);
  },

  async garbage(client) {
    assert.deepEqual(await prompt(client, await newSession(client)), { stopReason: 'end_turn' });
    assert.equal(client.said, 'Done.');
    for (const line of ['', '   ', 'null', '42', '"a JSON string"', '\ufffd\ufffd\ufffd(']) {
      assert(client.junk.includes(line));
    }
    assert(client.junk.includes('{"jsonrpc":"2.0","method":"session/upd'));
  },

  async splitUtf8(client) {
    await prompt(client, await newSession(client));
    assert.equal(client.said, 'Grüße, 世界 👩‍💻!');
    assert(client.chunks.some(([first = 0]) => (first & 0xc0) === 0x80));
  },

  async crlf(client) {
    await initialize(client);
    assert(Buffer.concat(client.chunks).toString().endsWith('}\r\n'));
    await client.wait('stderr', () => (client.stderr === 'one line\r\nanother line\r\n' ? true : undefined));
  },

  async noFinalNewline(client) {
    const id = sendPrompt(client, await newSession(client));
    assert.deepEqual(await client.exit, { code: 0, signal: null });
    await client.closed;
    assert.deepEqual(JSON.parse(client.unfinishedLine), { jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } });
    assert.equal(client.stderr, 'the last line, unfinished');
  },

  async slowToExit(client) {
    await initialize(client);
    const endedAt = performance.now();
    client.end();
    assert.deepEqual(await client.exit, { code: 0, signal: null });
    assert(performance.now() - endedAt >= 1490);
  },

  async deafToSigterm(client) {
    await initialize(client);
    client.end();
    await client.wait('stdin', () => (client.stderr.includes('stdin has ended') ? true : undefined));
    if (isWindows) return; // nobody can be deaf to it
    client.signal('SIGTERM');
    await client.wait('SIGTERM', () => (client.stderr.includes('SIGTERM: ignored') ? true : undefined));
    client.signal('SIGKILL');
    assert.deepEqual(await client.exit, { code: null, signal: 'SIGKILL' });
  },

  async leavesChild(client) {
    await initialize(client);
    const { params } = await client.call('log');
    const { pid } = params?.['data'] as { pid: number };
    client.end();
    assert.deepEqual(await client.exit, { code: 0, signal: null });
    assert(process.kill(pid, 0), 'the child is alive');
    client.killGroup();
    if (isWindows) process.kill(pid);
    // The child held stderr open.
    await client.closed;
  },

  async answersTwice(client) {
    await initialize(client);
    await client.wait('second answer', () => (client.messages.length === 2 ? true : undefined));
    const names = client.messages.map(({ id, result }) => [id, (result?.['agentInfo'] as { name: string }).name]);
    assert.deepEqual(names, [
      [1, 'first'],
      [1, 'second'],
    ]);
  },

  wrongVersion: async (client) => assert.equal((await initialize(client)).result?.['protocolVersion'], 2),

  onlyVersion1: async (client) => assert.equal((await initialize(client)).result?.['protocolVersion'], 1),

  async needsAuth(client) {
    await initialize(client);
    const open = (): Promise<RawMessage> => client.request('session/new', { cwd: folder, mcpServers: [] });
    const refused = await open();
    assert.equal(refused.error?.code, -32000);
    assert.equal((refused.error.data as { authMethods: unknown[] }).authMethods.length, 2);
    const failed = await client.request('authenticate', { methodId: 'broken' });
    assert.equal(failed.error?.code, -32000);
    assert.deepEqual((await client.request('authenticate', { methodId: 'token' })).result, {});
    assert.deepEqual((await open()).result, { sessionId: 'fake-1' });
  },

  async levelDeaf(client) {
    const sessionId = await newSession(client, { logging: { level: 'critical' } });
    const { error } = await client.request('logging/setLevel', { level: 'debug' });
    assert.equal(error?.code, -32601);
    await prompt(client, sessionId);
    assert.deepEqual(levelsOf(client), ['critical', 'alert', 'emergency']);
  },

  async setsLevel(client) {
    const sessionId = await newSession(client, { logging: { level: 'debug' } });
    await client.request('logging/setLevel', { level: 'alert' });
    await prompt(client, sessionId);
    assert.deepEqual(levelsOf(client), ['alert', 'emergency']);
    assert.equal((await client.request('logging/setLevel', { level: 'loud' })).error?.code, -32602);
  },

  async badLogs(client) {
    await prompt(client, await newSession(client));
    const logs = client.messages.filter(({ method }) => method === 'log').map(({ params }) => params as unknown);
    assert.equal(logs.length, 46);
    assert(logs.some((params) => Array.isArray(params)) && logs.includes(null) && logs.includes(undefined));
    assert(levelsOf(client).includes(3));
    for (const method of ['_agent-logs/log', '_posthog/console', '__posthog/console']) await client.call(method);
    const whole = Buffer.concat(client.chunks).toString();
    assert(whole.includes(String.raw`one line\n2026-01-01 00:00:00.000 [error] [x] forged`));
    assert(whole.includes(String.raw`\u001b[31mred`));
    assert(whole.includes('"__proto__":{"polluted":true}'));
  },

  async stringIds(client) {
    const id = sendPrompt(client, await newSession(client));
    for (const own of ['3f1c8f5e-0000-4000-8000-000000000001', '1', '']) {
      const request = await client.message(own, (message) => message.id === own && message.method !== undefined);
      client.answer(request, { outcome: { outcome: 'cancelled' } });
    }
    await client.answerTo(id);
    assert.equal(client.said, '3 answered.');
  },

  async oddIds(client) {
    const sessionId = await newSession(client);
    const ids = client.messages.map(({ id }) => id);
    assert.deepEqual(ids, [4711, 'never-used', null, undefined, { an: 'object' }, 1, '2', 2]);
    const answer = await client.answerTo(sendPrompt(client, sessionId));
    assert(answer.result && answer.error);
    const closed = await client.request('session/close', { sessionId });
    assert.deepEqual(closed, { jsonrpc: '2.0', id: 4 });
  },

  async asksPermission(client) {
    const sessionId = await newSession(client);
    const turn = sendPrompt(client, sessionId);
    const first = await client.call('session/request_permission');
    client.notify('session/cancel', { sessionId });
    client.answer(first, { outcome: { outcome: 'cancelled' } });
    const isSecond = ({ id, method }: RawMessage): boolean =>
      method === 'session/request_permission' && id !== first.id;
    client.answer(await client.message('second request', isSecond), {
      outcome: { outcome: 'selected', optionId: 'no' },
    });
    assert.deepEqual((await client.answerTo(turn)).result, { stopReason: 'cancelled' });
    assert.match(client.said, /^First: .*cancelled.*\nSecond: .*"no"/);
  },

  async cancelsOwnRequest(client) {
    const turn = sendPrompt(client, await newSession(client));
    const request = await client.call('session/request_permission');
    const { params } = await client.call('$/cancel_request');
    assert.deepEqual(params, { requestId: request.id });
    client.write(JSON.stringify({ jsonrpc: '2.0', id: request.id, error: { code: -32800, message: 'cancelled' } }));
    assert.deepEqual((await client.answerTo(turn)).result, { stopReason: 'end_turn' });
  },

  async ignoresCancel(client) {
    const sessionId = await newSession(client);
    const turn = sendPrompt(client, sessionId);
    await client.call('session/update');
    client.notify('session/cancel', { sessionId });
    assert.deepEqual((await client.answerTo(turn)).result, { stopReason: 'end_turn' });
    assert.equal(client.said, 'Working… done.');
  },

  async slowInitialize(client) {
    const startedAt = performance.now();
    await initialize(client);
    assert(performance.now() - startedAt >= 250);
  },

  async floods(client) {
    await initialize(client);
    assert.deepEqual(await client.exit, { code: 0, signal: null });
    await client.closed;
    const numbers = client.received('log').map(({ data }) => (data as { n: number }).n);
    assert.deepEqual(
      numbers,
      Array.from({ length: 250 }, (_, index) => index + 1),
    );
  },

  async unknownEverything(client) {
    const turn = sendPrompt(client, await newSession(client));
    for (const method of ['_fake/question', 'fs/read_text_file', 'terminal/create']) {
      const { id } = await client.call(method);
      client.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: method } }));
    }
    await client.answerTo(turn);
    assert.equal(client.said.match(/-32601/g)?.length, 3);
    assert.equal(client.received('session/unheard_of').length, 1);
    assert.equal(client.updates('hologram').length, 1);
  },

  async longLine(client) {
    await initialize(client);
    const logs = await client.wait('the second log', () => {
      const received = client.received('log');
      return received.length === 2 ? received : undefined;
    });
    assert.deepEqual(
      logs.map(({ message }) => (message as string).length),
      [240_000, 5],
    );
  },

  async longAnswers(client) {
    const turn = sendPrompt(client, await newSession(client));
    const question = await client.call('session/request_permission');
    assert.equal(JSON.stringify(question).length > 2 * 1024 * 1024, true);
    client.answer(question, { outcome: { outcome: 'selected', optionId: 'yes' } });
    const { result } = await client.answerTo(turn);
    assert.equal((result as { stopReason: unknown }).stopReason, 'end_turn');
    assert.equal(JSON.stringify(result).length > 2 * 1024 * 1024, true);
  },

  async closesStdout(client) {
    await initialize(client);
    await client.outputEnd;
    assert(process.kill(client.pid, 0), 'the agent is alive');
    client.end();
    assert.deepEqual(await client.exit, { code: 0, signal: null });
  },

  async bookshop(client) {
    const sessionId = await newSession(client);
    const turn = client.send('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Run the tests.' }] });
    assert.deepEqual((await client.answerTo(turn)).result, { stopReason: 'end_turn' });
    assert.equal(client.said, 'Error: Rate limit reached for shop-large (status 429)');
    const [done] = client.updates('tool_call_update');
    assert.deepEqual(
      [done?.['status'], (done?.['rawOutput'] as { metadata: object }).metadata],
      ['completed', { exit: 3 }],
    );
  },

  async promptError(client) {
    const { error } = await client.answerTo(sendPrompt(client, await newSession(client)));
    assert.equal(error?.code, -32603);
    assert.deepEqual(error.data, { errorName: 'APIError', status: 429 });
  },
};

const argumentsOf: Record<string, readonly string[]> = { slowInitialize: ['250'], floods: ['250'] };

describe('the fake agents', () => {
  // Those that speak other protocols, none, or version 2 have their tests beside the client's.
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.mjs') && !/^(?:mcp-|lsp-|stream-|version2|behindWrapper)/.test(file),
  );

  it('are all described here', () => {
    assert.deepEqual(
      files,
      Object.keys(behaviour)
        .map((name) => `${name}.mjs`)
        .sort(),
    );
  });

  for (const [name, check] of Object.entries(behaviour)) {
    const itRuns = name === 'closesStdout' ? itIfStdoutCloses : it;
    itRuns(name, async () => {
      const client = new RawAcpClient([join(folder, `${name}.mjs`), ...(argumentsOf[name] ?? [])]);
      try {
        await check(client);
      } finally {
        client.killGroup();
      }
    });
  }
});

function initialize(client: RawAcpClient, clientCapabilities: object = {}): Promise<RawMessage> {
  return client.request('initialize', { protocolVersion: 1, clientCapabilities });
}

async function newSession(client: RawAcpClient, clientCapabilities?: object): Promise<string> {
  await initialize(client, clientCapabilities);
  const { result } = await client.request('session/new', { cwd: folder, mcpServers: [] });
  return String(result?.['sessionId']);
}

function sendPrompt(client: RawAcpClient, sessionId: string): number {
  return client.send('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
}

async function prompt(client: RawAcpClient, sessionId: string): Promise<unknown> {
  return (await client.answerTo(sendPrompt(client, sessionId))).result;
}

function levelsOf(client: RawAcpClient): unknown[] {
  return client.received('log').map(({ level }) => level);
}
