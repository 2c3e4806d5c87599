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
import { tapPatternsFile, writeTapPatterns } from '../../../src/live/config/tapPatterns';
import { tapFolder } from '../../../src/wire/journal/tapFolder';
import { useCli } from '../../support/cli';
import { column } from '../../support/columns';
import { linesText } from '../../support/journalText';
import { makeSavedHome, savedHomeEnv } from '../../support/savedHome';
import { textOf } from '../../support/wireNotes';

const failed = '0c5f0f0e-0000-4000-8000-000000000002';

const clientInfo = { name: 'x', version: '1' };
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };

function callOf(id: number, name: string, input: object, more: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input, ...more } };
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
    const program = { command: process.execPath, args: [cli.program, 'mcp'], cwd: home };
    await client.connect(new StdioClientTransport({ ...program, env: { ...env, ...more } }));
    return client;
  }

  const started = () => spawn(process.execPath, [cli.program, 'mcp'], { env, cwd: home });

  async function call(client: Client, name: string, input: object = {}): Promise<string> {
    const { content } = await client.callTool({ name, arguments: { ...input } });
    return textOf({ content });
  }

  it('lists its tools and answers each, with the patterns of the user', async () => {
    const client = await connected();
    const { tools } = await client.listTools();
    assert.deepEqual(column(tools, 'name'), Object.keys(answerTools));
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint));
    const list = await call(client, 'list_runs', { limit: 50 });
    assert.match(list, /- "\[redacted\] tests" id \w+, session \S+ saved by Claude Code/);
    assert.match(await call(client, 'read_records', { run: failed, query: 'kind:diagnosis' }), /^#\d+ .* diagnosis /m);
    assert.match(await call(client, 'read_turns', { run: failed }), /^turn #\d+\.\.\d+ /m);
    assert.match(await call(client, 'problems', { run: failed }), /^ {2}Evidence:\n {4}#\d+ /m);
    const [, other] = /- "\[redacted\] tests" id (\w+)/.exec(list) ?? [];
    assert.match(await call(client, 'compare_runs', { run: failed, other }), /First difference: step \d/);
    const checked = await call(client, 'check_mcp_servers');
    assert.match(checked, /## notes\n(?:.*\n)*- No recorded run says which tools it has/);
    assert.match(await call(client, 'delete_runs'), /There is no tool "delete_runs"\. Tools: list_runs, /);
  });

  it('leaves out the session whose ID the client gives', async () => {
    const client = await connected({ CLAUDE_CODE_SESSION_ID: failed });
    assert.doesNotMatch(await call(client, 'list_runs', { limit: 50 }), new RegExp(failed.slice(-8)));
    assert.match(await call(client, 'problems', { run: failed }), /What to do/, 'unless it is named');
  });

  // The official client waits for each call by a listener of its own, of which Node.js warns.
  it('answers thousands of calls at once, or says that they are too many', async () => {
    const child = started();
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await answers.next()).value);
    const calls = Array.from({ length: 3000 }, (_, at) => callOf(at + 2, 'read_turns', { limit: 0 }));
    child.stdin.write(linesText(initialize, ...calls));
    assert.match(await next(), /"protocolVersion"/);
    const texts = new Set<string>();
    for (let n = 0; n < 3000; n++) texts.add(/"text":"((?:[^"\\]|\\.)*)"/.exec(await next())?.[1] ?? '');
    const error =
      /\\"limit\\" must be a whole number from 1 to 100\.$|Too many calls at once: .* At most 1000 may wait\.$/;
    for (const answer of texts) assert.match(answer, error);
    child.stdin.end(linesText(callOf(5000, 'read_turns', { run: failed })));
    assert.match(await next(), /\\nturn #/);
    await once(child, 'exit');
  });

  it('answers what was asked before its input ended, then exits', async () => {
    const child = started();
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    child.stdin.write('no JSON\n{"a": 1}\n');
    child.stdin.end(linesText(initialize, initialized, callOf(2, 'problems', { run: failed })));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.equal(child.exitCode, 0, err);
    const messages = out.trim().split('\n');
    const ids = messages.map((line) => (JSON.parse(line) as { id: number }).id);
    assert.deepEqual(ids, [1, 2]);
    assert.match(out, /What to do/);
  });

  it('speaks MCP 2026-07-28, which has no initialize', async () => {
    const child = started();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } };
    child.stdin.end(linesText(discover, callOf(2, 'problems', { run: failed }, { _meta })));
    const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    assert.equal(child.exitCode, 0);
    assert.match(out, /"supportedVersions":\["2026-07-28"\]/);
    assert.match(out, /What to do/);
  });

  it('exits when nobody reads its output', async () => {
    const child = started();
    child.stdout.destroy();
    child.stdin.on('error', () => undefined);
    const ask = setInterval(() => child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'), 50);
    await once(child, 'exit');
    clearInterval(ask);
  });
});
