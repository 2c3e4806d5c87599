import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { markdownText } from '../../../src/text/markdown';
import { resultOf, useCli } from '../../support/cli';
import { rowsOf } from '../../support/columns';
import { useFolder } from '../../support/tempFolder';
import { isAlive } from '../../support/testRun';

describe('agent-logs check-mcp', () => {
  const cli = useCli();
  // On Windows, a process that has just ended keeps its folder for a moment.
  afterEach(() => rm(folder.path, { recursive: true, force: true, maxRetries: 5 }));
  const folder = useFolder();

  const script = resolve('test/fakeAgents/mcp-checked.mjs');
  const fake = (mode: string, more: object = {}): object => {
    return { command: process.execPath, args: [script, mode], ...more };
  };

  /** What programs are run with there. */
  const there = () => {
    const [cwd, home] = [folder.path, folder.path];
    return { cwd, env: { PATH: process.env['PATH'], HOME: home, USERPROFILE: home } };
  };

  async function run(mcpServers: object, ...args: readonly string[]) {
    await writeFile(folder.in('.mcp.json'), JSON.stringify({ mcpServers }));
    const child = spawn(process.execPath, [cli.program, 'check-mcp', ...args], there());
    const { code, stdout, stderr } = await resultOf(child);
    return { code, stdout: stdout.toString(), stderr };
  }

  it('prints what each server has', async () => {
    const { code, stdout } = await run({ notes: fake('plain'), off: fake('plain', { disabled: true }) });
    assert.equal(code, 0);
    for (const part of [
      /^# MCP servers: 1 checked, 0 failed; errors: 0, warnings: 1\n/,
      /## notes\n\n- fake-mcp 0 · MCP [\d-]+ · Claude Code\n- started in /,
      /- tools: 2, prompts: 1, resources: 2; about \d+ tokens, 100 % of all \(estimated\)\n- settings: `[^`]+\.mcp\.json:\d+`\n/,
      /`write_note`/,
    ]) {
      assert.match(stdout, part);
    }
  });

  it('exits with 1 for errors, and prints JSON', async () => {
    const secret = 'correct-horse-battery-staple';
    const servers = { bad: fake('awkward', { env: { NOTES_TOKEN: secret } }), gone: fake('exits') };
    const { code, stdout } = await run(servers, '--json', 'bad', 'gone');
    assert.equal(code, 1);
    const report = JSON.parse(stdout) as Readonly<Record<'servers' | 'findings', readonly Record<string, unknown>[]>>;
    const shares = report.servers.map(({ name, ok, share }) => `${String(name)} ${String(ok)} ${String(share)}`);
    assert.deepEqual(shares, ['gone false 0', 'bad true 1']);
    assert.match(String(report.servers[0]?.['error']), /NOTES_TOKEN is not set/);
    assert.ok(report.findings.some(({ code: own }) => own === 'schema-keyword'));
    assert.ok(report.findings.every(({ advice }) => advice !== ''));
    assert.ok(!stdout.includes(secret));
  });

  describe('with recorded runs', () => {
    /** Starts the server through a tap, as a client does, and lets it answer requests. */
    async function tapped(requests: readonly object[]) {
      const words = ['tap', '--name', 'notes', '--protocol', 'mcp', '--', process.execPath, script, 'plain'];
      const child = spawn(process.execPath, [cli.program, ...words], there());
      for (const [index, request] of requests.entries()) {
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: index, ...request })}\n`);
      }
      let left = requests.length;
      await new Promise<void>((done) => {
        createInterface({ input: child.stdout }).on('line', () => --left === 0 && done());
      });
      return child;
    }

    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
    const initialize = { method: 'initialize', params };
    const call = (name: string): object => ({ method: 'tools/call', params: { name, arguments: {} } });

    it('does not start a server that is running, but once it has ended, and says how its tools did', async () => {
      const requests = [initialize, { method: 'tools/list' }, call('echo'), call('echo'), call('refuse')];
      const running = await tapped(requests);
      try {
        let report = '';
        // The tap's journal is written in the background.
        for (let tries = 0; tries < 50 && !report.includes('running server'); tries++) {
          report = (await run({ notes: fake('plain') })).stdout;
        }
        for (const line of [
          /- fake-mcp 0 · MCP 2025-06-18 · Claude Code\n- from the recording of the running server, /,
          /- tools: 2, prompts: \?, resources: \?; about \d+ tokens, 100 % of all \(estimated\)\n/,
          /- past calls: 3, recorded runs: 1, since .*\n  - `refuse` calls: 1, errors: 1, time-outs: 0, p95: /,
        ]) {
          assert.match(report, line);
        }
      } finally {
        running.stdin.end();
        await once(running, 'close');
      }
      const { stdout } = await run({ notes: fake('plain') }, '--json');
      interface Past {
        readonly runs: number;
        readonly calls: number;
        readonly tools: readonly Readonly<Record<string, string | number>>[];
      }
      const { servers } = JSON.parse(stdout) as { servers: readonly { source: string; past: Past }[] };
      const [{ source, past } = assert.fail()] = servers;
      assert.deepEqual([source, past.runs, past.calls], ['started', 1, 3]);
      const tools = rowsOf(past.tools, 'tool', 'calls', 'errors', 'timeouts');
      assert.deepEqual(tools.sort(), ['echo 2 0 0', 'refuse 1 1 0']);
    });
  });

  it('ends hostile servers when it is killed', async () => {
    await writeFile(folder.in('.mcp.json'), JSON.stringify({ mcpServers: { hostile: fake('stays') } }));
    const file = folder.in('received.txt');
    const env = { ...there().env, MCP_CHECKED_FILE: file };
    const checking = spawn(process.execPath, [cli.program, 'check-mcp'], { cwd: folder.path, env });
    let noted = '';
    while (!noted.includes('initialize')) noted = await readFile(file, 'utf8').catch(() => '');
    checking.kill('SIGKILL');
    await once(checking, 'close');
    const server = Number(/child (\d+)/.exec(noted)?.[1]);
    // What is left ends it step by step, in about three seconds.
    while (isAlive(server)) await delay(50);
  });

  it('tells servers of the same name apart', async () => {
    const other = JSON.stringify({ mcpServers: { notes: fake('awkward') } });
    await writeFile(folder.in('.claude.json'), other);
    const headings = async () => (await run({ notes: fake('plain') })).stdout.match(/^## .*/gm)?.sort();
    const files = ['.mcp.json', '.claude.json'].map((file) => `## notes (${markdownText(folder.in(file))})`);
    assert.deepEqual(await headings(), files.sort());
    await rm(folder.in('.claude.json'));
    await mkdir(folder.in('.cursor'));
    await writeFile(folder.in('.cursor/mcp.json'), other);
    assert.deepEqual(await headings(), ['## notes (Claude Code)', '## notes (Cursor)']);
  });

  it('exits with 2 if there is nothing to check', async () => {
    const none = await run({});
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /No MCP servers found/);
    const other = await run({ notes: fake('plain') }, 'other');
    assert.equal(other.code, 2);
    assert.match(other.stderr, /There is no MCP server "other"\. The servers are "notes"\./);
  });
});
