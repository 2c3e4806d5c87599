import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Redactor } from '../../../../src/redact/redactor';
import { inEnglish } from '../../../../src/text/translator';
import type { CheckedServer } from '../../../../src/mcpServers/check/checkedServer';
import { checkUpJson, describeCheckUp } from '../../../../src/mcpServers/check/checkReport';
import type { CheckTarget } from '../../../../src/mcpServers/check/checkTarget';
import type { CheckUpOptions } from '../../../../src/mcpServers/check/checkUp';
import { checkUp } from '../../../../src/mcpServers/check/checkUp';
import { ProcessReaper } from '../../../../src/live/process/processReaper';
import { Cancelled } from '../../../../src/time/waiting';
import { checkTarget, fakeTarget } from '../../../support/checkTarget';
import { rowsOf } from '../../../support/columns';
import { useFolder } from '../../../support/tempFolder';
import { gone, isAlive } from '../../../support/testRun';

describe('the check-up of MCP servers', () => {
  let reaper: ProcessReaper;
  beforeEach(() => (reaper = new ProcessReaper()));
  afterEach(() => reaper.dispose());
  const folder = useFolder();
  const file = (): string => folder.in('received.txt');

  const target = (name: string, args: readonly string[], fake?: string): CheckTarget =>
    fakeTarget(name, args, { env: { MCP_CHECKED_FILE: file() }, ...(fake !== undefined && { fake }) });

  /** With more time than any machine takes, in milliseconds. */
  function check(
    targets: readonly CheckTarget[],
    more: Partial<CheckUpOptions> = {},
    stopping = new AbortController(),
    onServer?: Parameters<typeof checkUp>[3],
  ) {
    const options = { reaper, redactor: new Redactor(), version: '0', env: process.env, timeout: 300_000, atOnce: 2 };
    return checkUp(targets, { ...options, ...more }, stopping.signal, onServer);
  }

  async function checkOne(one: CheckTarget, more?: Partial<CheckUpOptions>): Promise<CheckedServer> {
    return (await check([one], more)).servers[0] ?? assert.fail('no server');
  }

  /** The time is over once the server has received a line. */
  async function checkUntil(one: CheckTarget, line: RegExp): Promise<CheckedServer> {
    const late = new AbortController();
    const checked = checkOne(one, { timeout: 4500, limit: () => late.signal });
    while (!line.test(await readFile(file(), 'utf8').catch(() => ''))) await pause(20);
    late.abort();
    return checked;
  }

  const received = async (): Promise<readonly string[]> => (await readFile(file(), 'utf8')).trim().split('\n');
  const childOf = async (): Promise<number> =>
    Number((await received()).find((line) => line.startsWith('child'))?.slice('child '.length));
  const failure = ({ failure: found }: CheckedServer): string => (found ? inEnglish(found.message) : '');

  it('says what a server has, and sends nothing but lists and ping', async () => {
    const { servers, findings } = await check([target('notes', ['awkward'])]);
    const [server] = servers;
    assert.ok(server && !server.failure);
    const { serverName, serverVersion, instructions, startMs = 0, listMs = 0, pingMs = 0 } = server;
    assert.deepEqual([serverName, serverVersion, instructions], ['fake-mcp', '0', 'Be kind.']);
    assert.deepEqual([server.tools.length, server.prompts, server.resources], [3, 1, 2]);
    assert.ok(startMs > 0 && listMs > 0 && pingMs > 0);
    assert.deepEqual(await received(), ['initialize', 'tools/list', 'prompts/list', 'resources/list', 'ping']);
    // The schema is checked as it was sent.
    const codes = ['schema-keyword', 'property-name', 'invalid-schema', 'array-items', 'instructions', 'tool-name'];
    const found = codes.map((code) => `${code} with.dots`);
    assert.deepEqual(rowsOf(findings, 'code', 'tools'), [...found, 'no-annotations write_note']);
  });

  const paged = Array.from({ length: 5 }, (_, n) => `tool_${n}`);
  const cut = 'Only the first 397 tools are checked; it has 603 more';
  const tooLong = (page: number): string => `\`tools/list\` is too long: the rest after page ${page} was not read`;
  for (const [what, mode, tools, notes, reason] of [
    ['reads all pages of a list', 'pages', paged, [], /^$/],
    ['is bounded for a list whose pages repeat', 'loops', 2, ['`tools/list` repeats a page, so it never ends'], /^$/],
    ['is bounded for a list without an end', 'endless', 100, [tooLong(100)], /^$/],
    ['is bounded for a list of hundreds of megabytes', 'huge', 397, [tooLong(1), cut], /^$/],
    ['says why a server ended', 'exits', 0, [], /exit(ed with code)? 3.*NOTES_TOKEN is not set/],
    ['says that a server exited between two answers', 'exits-in-list', 2, [], /exit(ed with code)? 4/],
  ] as const) {
    it(what, async () => {
      const server = await checkOne(target('notes', [mode]));
      assert.match(failure(server), reason);
      const names = server.tools.map(({ name }) => name);
      assert.deepEqual(typeof tools === 'number' ? names.length : names, tools);
      assert.deepEqual(server.notes.map(inEnglish), notes);
    });
  }

  it('checks servers of 2026-07-28, which have no ping', async () => {
    const server = await checkOne(target('modern', [], 'mcp-modern'));
    assert.equal(failure(server), '');
    assert.equal(server.protocolVersion, '2026-07-28');
    assert.equal(server.pingMs, undefined);
    assert.ok(server.tools.length > 0);
  });

  it('says that a program is missing', async () => {
    const start = { type: 'process', command: 'no-such-program', args: [], env: {} } as const;
    const server = await checkOne(checkTarget('notes', start));
    assert.match(failure(server), /no-such-program/);
    assert.equal(inEnglish(server.failure!.advice!), 'Correct the command in /x/.mcp.json, or install it.');
  });

  it('ends a server that does not answer, with its children', async () => {
    const server = await checkUntil(target('notes', ['hangs']), /child \d+\n/);
    assert.equal(failure(server), 'No answer within 4.5 s, so it was stopped');
    const child = await childOf();
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
    const running = check([target('a', ['hangs']), target('b', ['hangs'])], {}, stopping);
    setTimeout(() => stopping.abort(), 500);
    await assert.rejects(running, Cancelled);
  });

  it('starts no server once it is cancelled', async () => {
    const stopping = new AbortController();
    stopping.abort();
    await assert.rejects(check([target('a', [])], {}, stopping), Cancelled);
    await assert.rejects(received());
  });

  it('describes a bounded number of findings', async () => {
    const result = await check([target('notes', ['many', '3000'])]);
    assert.ok(describeCheckUp(result).split('\n').length < 300);
    assert.ok(JSON.stringify(checkUpJson(result)).length < 1_000_000);
  });

  it('ends a server whose output never has a line', async () => {
    const server = await checkOne(target('notes', ['floods']), { timeout: 2000 });
    assert.match(failure(server), /^No answer within 2.0 s, so it was stopped$/);
  });

  it('kills a server that ignores the end of its input and signals', async () => {
    const server = await checkOne(target('notes', ['stays']));
    assert.equal(failure(server), '');
    assert.equal(isAlive(await childOf()), false);
  });

  it('refuses what a server asks for', async () => {
    const server = await checkOne(target('notes', ['asks']));
    assert.equal(failure(server), '');
    assert.ok((await received()).some((line) => /^refused .*declines sampling/.test(line)));
  });

  it('lists servers that failed first, then those with errors', async () => {
    const { servers } = await check([target('a', []), target('c', ['awkward']), target('b', ['exits'])]);
    const names = servers.map(({ target: { name } }) => name);
    assert.deepEqual(names, ['b', 'c', 'a']);
  });

  it('does not start a server whose client asks for values', async () => {
    const server = await checkOne({ ...target('notes', []), asksUser: true });
    assert.match(failure(server), /^Not started/);
    await assert.rejects(received());
  });

  it('starts as many servers at once as it may, and says so', async () => {
    const targets = Array.from({ length: 10 }, (_, index) => target(`s${index}`, ['meets', '10']));
    const result = await check(targets, { atOnce: 10 });
    assert.match(describeCheckUp(result), /\nUp to 10 servers were started at a time, one for each processor core\.\n/);
    assert.deepEqual(result.servers.map(failure), Array<string>(10).fill(''));
  });

  it('starts no more servers at once than it may', async () => {
    const targets = ['a', 'b', 'c'].map((name) => target(name, []));
    const result = await check(targets, { atOnce: 1 });
    // Each has all of its requests before the next one starts.
    const methods = await received();
    assert.deepEqual(methods.slice(0, methods.length / 3), methods.slice(methods.length / 3, (2 * methods.length) / 3));
    assert.match(describeCheckUp(result), /\nServers were started one at a time,/);
  });

  it('does not let a server that hangs keep the others waiting, and says so', async () => {
    const targets = [target('stuck', ['hangs']), target('a', []), target('b', [])];
    const order: string[] = [];
    const late = new AbortController();
    const more = { atOnce: 1, slot: 50, limit: () => late.signal };
    const result = await check(targets, more, new AbortController(), ({ target: { name } }) => {
      if (order.push(name) === 2) late.abort();
    });
    // A slot of 50 ms may end before `a` does: which of the two is first isn't told.
    assert.deepEqual([order.slice(0, 2).sort(), order[2]], [['a', 'b'], 'stuck']);
    assert.ok(result.slow > 0);
    assert.match(describeCheckUp(result), /took over 10 s didn’t keep the next from starting \(\d\)/);
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
