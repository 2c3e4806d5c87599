import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redactor } from '../../../../src/redact/redactor';
import { inEnglish } from '../../../../src/text/translator';
import type { CheckedServer } from '../../../../src/mcpServers/check/checkedServer';
import { checkUpJson, describeCheckUp } from '../../../../src/mcpServers/check/checkReport';
import type { CheckTarget } from '../../../../src/mcpServers/check/checkTarget';
import type { CheckUp } from '../../../../src/mcpServers/check/checkUp';
import { checkUp } from '../../../../src/mcpServers/check/checkUp';
import { ProcessReaper } from '../../../../src/live/process/processReaper';
import { Cancelled } from '../../../../src/time/waiting';
import { gone, isAlive } from '../../../support/testRun';

describe('the check-up of MCP servers', () => {
  let folder: string;
  let file: string;
  let reaper: ProcessReaper;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'check-up-'));
    file = join(folder, 'received.txt');
    reaper = new ProcessReaper();
  });
  afterEach(async () => {
    reaper.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  function target(name: string, args: readonly string[], fake = 'mcp-checked'): CheckTarget {
    const script = resolve('test/fakeAgents', `${fake}.mjs`);
    const env = { MCP_CHECKED_FILE: file };
    const start = { type: 'process', command: process.execPath, args: [script, ...args], env } as const;
    return {
      name,
      label: name,
      clients: [{ id: 'claude', label: 'Claude Code' }],
      file: '/x/.mcp.json',
      start,
      cwd: folder,
      asksUser: false,
    };
  }

  function check(
    targets: readonly CheckTarget[],
    timeout = 20_000,
    stopping = new AbortController(),
    atOnce = 2,
  ): Promise<CheckUp> {
    const redactor = new Redactor();
    return checkUp(targets, { reaper, redactor, version: '0', env: process.env, timeout, atOnce }, stopping.signal);
  }

  async function checkOne(one: CheckTarget, timeout?: number): Promise<CheckedServer> {
    const [server] = (await check([one], timeout)).servers;
    assert.ok(server);
    return server;
  }

  /** The time is over once the server has received a line. */
  async function checkUntil(one: CheckTarget, line: RegExp): Promise<CheckedServer> {
    const late = new AbortController();
    const options = { reaper, redactor: new Redactor(), version: '0', env: process.env, timeout: 4500 };
    const checked = checkUp([one], { ...options, limit: () => late.signal }, new AbortController().signal);
    while (!line.test(await readFile(file, 'utf8').catch(() => ''))) await pause(20);
    late.abort();
    const [server] = (await checked).servers;
    assert.ok(server);
    return server;
  }

  const received = async (): Promise<readonly string[]> => (await readFile(file, 'utf8')).trim().split('\n');
  const failure = ({ failure: found }: CheckedServer): string => (found ? inEnglish(found.message) : '');

  it('says what a server has, and sends nothing but lists and ping', async () => {
    const { servers, findings } = await check([target('notes', ['awkward'])]);
    const [server] = servers;
    assert.ok(server && !server.failure);
    assert.equal(server.serverName, 'fake-mcp');
    assert.equal(server.serverVersion, '0');
    assert.equal(server.instructions, 'Be kind.');
    assert.deepEqual([server.tools.length, server.prompts, server.resources], [3, 1, 2]);
    assert.ok((server.startMs ?? 0) > 0 && (server.listMs ?? 0) > 0 && (server.pingMs ?? 0) > 0);
    assert.deepEqual(await received(), ['initialize', 'tools/list', 'prompts/list', 'resources/list', 'ping']);
    // The schema is checked as it was sent.
    assert.deepEqual(
      findings.map(({ code, tools }) => `${code} ${tools.join()}`),
      [
        'schema-keyword with.dots',
        'property-name with.dots',
        'invalid-schema with.dots',
        'array-items with.dots',
        'instructions with.dots',
        'tool-name with.dots',
        'no-annotations write_note',
      ],
    );
  });

  it('reads all pages of a list', async () => {
    const { tools } = await checkOne(target('notes', ['pages']));
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['tool_0', 'tool_1', 'tool_2', 'tool_3', 'tool_4'],
    );
  });

  it('checks servers of 2026-07-28, which have no ping', async () => {
    const server = await checkOne(target('modern', [], 'mcp-modern'));
    assert.equal(failure(server), '');
    assert.equal(server.protocolVersion, '2026-07-28');
    assert.equal(server.pingMs, undefined);
    assert.ok(server.tools.length > 0);
  });

  it('says why a server ended', async () => {
    const server = await checkOne(target('notes', ['exits']));
    assert.match(failure(server), /exit(ed with code)? 3.*NOTES_TOKEN is not set/);
  });

  it('says that a program is missing', async () => {
    const notes = target('notes', []);
    const server = await checkOne({
      ...notes,
      start: { type: 'process', command: 'no-such-program', args: [], env: {} },
    });
    assert.match(failure(server), /no-such-program/);
    assert.equal(
      inEnglish(server.failure?.advice ?? { text: '' }),
      'Correct the command in /x/.mcp.json, or install it.',
    );
  });

  it('ends a server that does not answer, with its children', async () => {
    const server = await checkUntil(target('notes', ['hangs']), /child \d+\n/);
    assert.equal(failure(server), 'No answer within 4.5 s, so it was stopped');
    const child = Number((await received()).find((line) => line.startsWith('child'))?.slice('child '.length));
    assert.ok(child > 0);
    await gone(child);
    assert.equal(isAlive(child), false);
  });

  it('keeps what is known of a server that stops answering', async () => {
    const server = await checkUntil(target('notes', ['hangs-in-list']), /tools\/list/);
    assert.equal(failure(server), 'No answer within 4.5 s, so it was stopped');
    assert.equal(server.serverName, 'fake-mcp');
  });

  it('ends all servers when it is cancelled', async () => {
    const stopping = new AbortController();
    const running = check([target('a', ['hangs']), target('b', ['hangs'])], 20_000, stopping);
    setTimeout(() => stopping.abort(), 500);
    await assert.rejects(running, Cancelled);
  });

  it('starts no server once it is cancelled', async () => {
    const stopping = new AbortController();
    stopping.abort();
    await assert.rejects(check([target('a', [])], 20_000, stopping), Cancelled);
    await assert.rejects(received());
  });

  it('is bounded for a list whose pages repeat', async () => {
    const server = await checkOne(target('notes', ['loops']));
    assert.equal(failure(server), '');
    assert.equal(server.tools.length, 2);
    assert.deepEqual(server.notes.map(inEnglish), ['`tools/list` repeats a page, so it never ends']);
  });

  it('is bounded for a list without an end', async () => {
    const server = await checkOne(target('notes', ['endless']));
    assert.equal(failure(server), '');
    assert.equal(server.tools.length, 100);
    assert.deepEqual(server.notes.map(inEnglish), ['`tools/list` is too long: the rest after page 100 was not read']);
  });

  it('is bounded for a list of hundreds of megabytes', async () => {
    const server = await checkOne(target('notes', ['huge']));
    assert.equal(failure(server), '');
    assert.equal(server.tools.length, 397);
    assert.deepEqual(server.notes.map(inEnglish), [
      '`tools/list` is too long: the rest after page 1 was not read',
      'Only the first 397 tools are checked; it has 603 more',
    ]);
  });

  it('describes a bounded number of findings', async () => {
    const result = await check([target('notes', ['many', '3000'])]);
    assert.ok(describeCheckUp(result).split('\n').length < 300);
    assert.ok(JSON.stringify(checkUpJson(result)).length < 1_000_000);
  });

  it('ends a server whose output never has a line', async () => {
    const server = await checkOne(target('notes', ['floods']), 2000);
    assert.match(failure(server), /^No answer within 2.0 s, so it was stopped$/);
  });

  it('says that a server exited between two answers', async () => {
    const server = await checkOne(target('notes', ['exits-in-list']));
    assert.match(failure(server), /exit(ed with code)? 4/);
    assert.equal(server.tools.length, 2);
  });

  it('kills a server that ignores the end of its input and signals', async () => {
    const server = await checkOne(target('notes', ['stays']));
    assert.equal(failure(server), '');
    const pid = Number((await received()).find((line) => line.startsWith('child'))?.slice('child '.length));
    assert.equal(isAlive(pid), false);
  });

  it('refuses what a server asks for', async () => {
    const server = await checkOne(target('notes', ['asks']));
    assert.equal(failure(server), '');
    assert.ok((await received()).some((line) => /^refused .*declines sampling/.test(line)));
  });

  it('lists servers that failed first, then those with errors', async () => {
    const { servers } = await check([target('a', []), target('c', ['awkward']), target('b', ['exits'])]);
    assert.deepEqual(
      servers.map(({ target: { name } }) => name),
      ['b', 'c', 'a'],
    );
  });

  it('does not start a server whose client asks for values', async () => {
    const server = await checkOne({ ...target('notes', []), asksUser: true });
    assert.match(failure(server), /^Not started/);
    await assert.rejects(received());
  });

  it('starts as many servers at once as it may, and says so', async () => {
    const targets = Array.from({ length: 10 }, (_, index) => target(`s${index}`, ['meets', '10']));
    const result = await check(targets, 20_000, new AbortController(), 10);
    const { servers } = result;
    assert.match(describeCheckUp(result), /\nUp to 10 servers were started at a time, one for each processor core\.\n/);
    assert.deepEqual(
      servers.map((server) => failure(server)),
      targets.map(() => ''),
    );
  });

  it('starts no more servers at once than it may', async () => {
    const targets = ['a', 'b', 'c'].map((name) => target(name, []));
    const result = await check(targets, 20_000, new AbortController(), 1);
    // Each has all of its requests before the next one starts.
    const methods = await received();
    assert.deepEqual(methods.slice(0, methods.length / 3), methods.slice(methods.length / 3, (2 * methods.length) / 3));
    assert.match(describeCheckUp(result), /\nServers were started one at a time,/);
  });

  describe('finds that a server', () => {
    const rows: readonly (readonly [mode: string, ...found: readonly RegExp[]])[] = [
      ['junk', /^warning stdout-text MCP: Text on stdout that is no message: "Welcome!" \(lines: \d\)/],
      ['undeclared', /^warning no-capability .*: Lists tools without declaring the capability `tools`/],
      ['no-tools', /^warning no-tools MCP: Lists no tools to a client that declares roots$/],
      ['plain'],
      ['needs-roots'],
    ];
    for (const [mode, ...found] of rows) {
      it(`${found.length === 0 ? 'is fine' : 'is not'}: ${mode}`, async () => {
        const result = await check([target('notes', [mode])]);
        const shown = result.findings
          .filter(({ tools }) => tools.length === 0)
          .map(({ severity, code, by, message }) => `${severity} ${code} ${by}: ${inEnglish(message)}`);
        assert.equal(shown.length, found.length, shown.join('\n'));
        found.forEach((pattern, index) => assert.match(shown[index] ?? '', pattern));
        assert.equal(result.servers[0]?.tools.length, mode === 'no-tools' ? 0 : 2);
        assert.match(describeCheckUp(result), /This one declares roots, but not sampling or elicitation\.\n/);
      });
    }
  });
});
