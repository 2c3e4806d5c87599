import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answerTools } from '../../../src/answers/tools';
import { arrayOf, objectOf } from '../../../src/text/json';
import { tapPatternsFile, writeTapPatterns } from '../../../src/live/config/tapPatterns';
import { tapFolder } from '../../../src/wire/journal/tapFolder';
import { useCli } from '../../support/cli';
import { makeSavedHome, savedHomeEnv } from '../../support/savedHome';

const failed = '0c5f0f0e-0000-4000-8000-000000000002';

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

function linesOf(...messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

describe('agent-logs mcp', () => {
  const cli = useCli();
  let home: string;
  let env: Record<string, string>;
  const clients: Client[] = [];

  before(async () => {
    home = cli.newFolder();
    await mkdir(home);
    makeSavedHome(home);
    env = { ...savedHomeEnv(home), XDG_STATE_HOME: join(home, 'state'), LOCALAPPDATA: home };
    const state = tapFolder({ platform: process.platform, env, home });
    await writeTapPatterns(tapPatternsFile(state), ['Parser']);
    const server = { command: join(home, 'no-such-program'), args: [] };
    await writeFile(join(home, '.claude.json'), JSON.stringify({ mcpServers: { notes: server } }));
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  async function connected(more: Record<string, string> = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    const args = [cli.program, 'mcp'];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: { ...env, ...more }, cwd: home }),
    );
    return client;
  }

  async function call(client: Client, name: string, input: object = {}): Promise<string> {
    const { content } = await client.callTool({ name, arguments: { ...input } });
    return arrayOf(content)
      .map((part) => String(objectOf(part)['text']))
      .join('');
  }

  it('lists its tools and answers each, with the patterns of the user', async () => {
    const client = await connected();
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      Object.keys(answerTools).map((name) => [name, true]),
    );
    const list = await call(client, 'list_runs', { limit: 50 });
    assert.match(list, /- "\[redacted\] tests" id \w+, session \S+ saved by Claude Code/);
    assert.match(await call(client, 'read_records', { run: failed, query: 'kind:diagnosis' }), /^#\d+ .* diagnosis /m);
    assert.match(await call(client, 'read_turns', { run: failed }), /^turn #\d+\.\.\d+ /m);
    assert.match(await call(client, 'problems', { run: failed }), /^ {2}Evidence:\n {4}#\d+ /m);
    const [, other] = /- "\[redacted\] tests" id (\w+)/.exec(list) ?? [];
    assert.match(await call(client, 'compare_runs', { run: failed, other }), /First difference: step \d/);
    assert.match(
      await call(client, 'check_mcp_servers'),
      /## notes\n(?:.*\n)*- No recorded run says which tools it has/,
    );
    assert.match(await call(client, 'delete_runs'), /There is no tool "delete_runs"\. Tools: list_runs, /);
  });

  it('leaves out the session whose ID the client gives', async () => {
    const client = await connected({ CLAUDE_CODE_SESSION_ID: failed });
    assert.doesNotMatch(await call(client, 'list_runs', { limit: 50 }), new RegExp(failed.slice(-8)));
    assert.match(await call(client, 'problems', { run: failed }), /What to do/, 'unless it is named');
  });

  // The official client waits for each call by a listener of its own, of which Node.js warns.
  it('answers thousands of calls at once, or says that they are too many', async () => {
    const child = spawn(process.execPath, [cli.program, 'mcp'], { env, cwd: home });
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await answers.next()).value);
    const turns = (id: number, input: object): object => {
      return { id, method: 'tools/call', params: { name: 'read_turns', arguments: input } };
    };
    child.stdin.write(linesOf(initialize, ...Array.from({ length: 3000 }, (_, at) => turns(at + 2, { limit: 0 }))));
    assert.match(await next(), /"protocolVersion"/);
    const texts = new Set<string>();
    for (let n = 0; n < 3000; n++) texts.add(/"text":"((?:[^"\\]|\\.)*)"/.exec(await next())?.[1] ?? '');
    const errors = [
      '\\"limit\\" must be a whole number from 1 to 100.',
      'Too many calls at once: wait for answers. At most 1000 may wait.',
    ];
    assert.deepEqual(
      [...texts].filter((answer) => !errors.some((error) => answer.endsWith(error))),
      [],
    );
    child.stdin.end(linesOf(turns(5000, { run: failed })));
    assert.match(await next(), /\\nturn #/);
    await once(child, 'exit');
  });

  it('answers what was asked before its input ended, then exits', async () => {
    const child = spawn(process.execPath, [cli.program, 'mcp'], { env, cwd: home });
    const call = { id: 2, method: 'tools/call', params: { name: 'problems', arguments: { run: failed } } };
    child.stdin.write('no JSON\n{"a": 1}\n');
    child.stdin.end(linesOf(initialize, { method: 'notifications/initialized' }, call));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.equal(child.exitCode, 0, err);
    const messages = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: number });
    assert.deepEqual(
      messages.map(({ id }) => id),
      [1, 2],
    );
    assert.match(out, /What to do/);
  });

  it('speaks MCP 2026-07-28, which has no initialize', async () => {
    const child = spawn(process.execPath, [cli.program, 'mcp'], { env, cwd: home });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const lines = [
      { id: 1, method: 'server/discover', params: { _meta } },
      { id: 2, method: 'tools/call', params: { name: 'problems', arguments: { run: failed }, _meta } },
    ];
    child.stdin.end(linesOf(...lines));
    const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    assert.equal(child.exitCode, 0);
    assert.match(out, /"supportedVersions":\["2026-07-28"\]/);
    assert.match(out, /What to do/);
  });

  it('exits when nobody reads its output', async () => {
    const child = spawn(process.execPath, [cli.program, 'mcp'], { env, cwd: home });
    child.stdout.destroy();
    child.stdin.on('error', () => undefined);
    const ask = setInterval(() => child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'), 50);
    await once(child, 'exit');
    clearInterval(ask);
  });
});
