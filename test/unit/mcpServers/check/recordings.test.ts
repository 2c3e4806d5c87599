import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { Redactor } from '../../../../src/redact/redactor';
import { inEnglish } from '../../../../src/text/translator';
import type { CheckTarget } from '../../../../src/mcpServers/check/checkTarget';
import { describeCheckUp } from '../../../../src/mcpServers/check/checkReport';
import { recordedCheckUp } from '../../../../src/mcpServers/check/checkUp';
import { knownServer } from '../../../../src/mcpServers/check/knownServer';
import { pastCalls } from '../../../../src/mcpServers/check/pastCalls';
import { Recordings } from '../../../../src/mcpServers/check/recordings';
import { callFindings } from '../../../../src/mcpServers/check/rules/callFindings';
import { checkTarget } from '../../../support/checkTarget';
import { column } from '../../../support/columns';
import { linesText } from '../../../support/journalText';
import { useFolder } from '../../../support/tempFolder';
import { JournalFolder } from '../../../../src/wire/journal/journalFolder';

const begun = Date.parse('2026-11-24T10:00:00.000Z');

/** A line of a journal, so many milliseconds after its start. */
type Line = readonly [ms: number, direction: 'c2a' | 'a2c', message: object, bytes?: number];

describe('recordings of MCP servers', () => {
  const folder = useFolder();
  let runs: number;
  beforeEach(() => (runs = 0));

  const key = ['--key', 'sk-hidden-0123456789abcdef'];
  const start = { type: 'process', command: 'notes', args: key, env: {} } as const;
  const notes = checkTarget('notes', start, { cwd: '/w' });

  /** Writes a journal, of a process that still runs unless it has ended. */
  async function recorded(
    lines: readonly Line[],
    { agent = 'notes', command = ['notes', ...key], cwd = '/w', ended = false } = {},
  ): Promise<void> {
    const startedAt = begun + ++runs * 60_000;
    const path = new JournalFolder(folder.path).fileOf(agent, `run${runs}00000`, startedAt)(1);
    const time = (ms: number): string => new Date(startedAt + ms).toISOString();
    const about = { journal: 1, agent, protocol: 'mcp', command, cwd, part: 1, tap: { pid: process.pid } };
    const header = { ...about, startedAt: new Date(Date.now()).toISOString() };
    const spawned = { t: time(0), ms: 0, dir: 'ev', ev: 'spawn', pid: 1, command, cwd };
    const exit = { t: time(100_000), ms: 100_000, dir: 'ev', ev: 'exit', code: 0, signal: null };
    const rows = lines.map(([ms, dir, msg, bytes]) => ({
      ...{ t: time(ms), ms, dir, ...(bytes !== undefined && { bytes, kept: 0 }) },
      msg: { jsonrpc: '2.0', ...msg },
    }));
    await writeFile(path, linesText(header, spawned, ...rows, ...(ended ? [exit] : [])));
  }

  async function find(): Promise<Recordings> {
    const journals = await new JournalFolder(folder.path).list();
    const { signal } = new AbortController();
    return Recordings.find({ journals, redactor: new Redactor(), platform: 'linux', signal });
  }

  const known = async () => knownServer(notes, (await find()).of(notes));

  const ask = (ms: number, id: number, method: string, params = {}): Line => [ms, 'c2a', { id, method, params }];
  const answer = (ms: number, id: number, result: object): Line => [ms, 'a2c', { id, result }];
  const [protocolVersion, instructions] = ['2025-06-18', 'Be kind.'];
  const serverInfo = { name: 'Notes', version: '2.1' };
  const greeted = { protocolVersion, capabilities: { tools: {}, prompts: {} }, serverInfo, instructions };
  const greeting: readonly Line[] = [ask(10, 1, 'initialize', { protocolVersion }), answer(250, 1, greeted)];
  const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });
  const listed: readonly Line[] = [
    ask(300, 2, 'tools/list'),
    answer(310, 2, { tools: [tool('read')], nextCursor: 'b' }),
    ask(320, 3, 'tools/list', { cursor: 'b' }),
    answer(340, 3, { tools: [tool('write')] }),
  ];
  const called = (from: number, count: number, took: number, end: (id: number) => object, name = 'read'): Line[] =>
    Array.from({ length: count }, (_, index) => from + index).flatMap((id): Line[] => [
      ask(1000 * id, id, 'tools/call', { name, arguments: {} }),
      [1000 * id + took, 'a2c', { id, ...end(id) }],
    ]);
  const fine = (): object => ({ result: { content: [] } });
  const failed = (): object => ({ result: { content: [], isError: true } });

  it('have what a running server said of itself', async () => {
    await recorded([...greeting, ...listed]);
    const server = await known();
    assert.ok(server);
    const { source, tools, target: _, notes: said, conduct, ...rest } = server;
    assert.equal(source.type, 'running');
    assert.deepEqual(column(tools, 'name'), ['read', 'write']);
    assert.deepEqual([said, conduct], [[], { offers: ['tools', 'prompts'] }]);
    const about = { serverName: 'Notes', serverVersion: '2.1', protocolVersion, instructions };
    assert.deepEqual(rest, { ...about, startMs: 250, listMs: 30, resources: 0 });
  });

  it('keep a running server from being started again, whatever is known of it', async () => {
    const cut: Line = [310, 'a2c', { id: 2, result: { tools: [] } }, 20_000_000];
    const cutList = [...greeting, ask(300, 2, 'tools/list'), cut];
    const unlisted: readonly (readonly Line[])[] = [
      [...greeting, ...listed.slice(0, 2)],
      greeting,
      cutList,
      [...cutList, ...listed.slice(2)],
      [...greeting, ...listed, [400, 'a2c', { method: 'notifications/tools/list_changed' }]],
      [],
    ];
    for (const lines of unlisted) await recorded(lines);
    const server = await known();
    assert.deepEqual([server?.source.type, server?.tools.length], ['unknown', 0]);
    // A remote server isn't started.
    const remote = { ...notes, start: { type: 'http', transport: 'http', url: 'http://a/', headers: {} } } as const;
    assert.equal(await knownServer(remote, (await find()).of(notes)), undefined);
  });

  it('have what an earlier run said if the running one was not asked', async () => {
    await recorded([...greeting, ...listed], { ended: true });
    await recorded([]);
    const server = await known();
    assert.ok(server?.source.type === 'recorded');
    assert.equal(server.source.why, 'not-asked');
    assert.deepEqual([server.serverName, server.tools.length], ['Notes', 2]);
  });

  it('have what a server told a stateless client, and what another process of it was asked', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { roots: {}, extensions: {} },
    };
    const listing = { tools: [tool('read')], _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } };
    const discovered = answer(20, 1, { capabilities: { tools: {} }, instructions });
    await recorded([ask(10, 1, 'server/discover', { _meta }), discovered], { ended: true });
    await recorded([ask(10, 1, 'tools/list', { _meta }), answer(30, 1, listing)]);
    const server = await known();
    assert.ok(server?.source.type === 'running');
    assert.deepEqual([server.serverName, server.serverVersion, server.instructions], ['Notes', '2.1', instructions]);
    assert.deepEqual([server.protocolVersion, server.tools.length, server.prompts], ['2026-07-28', 1, undefined]);
    assert.deepEqual(server.conduct, { clientDeclares: ['roots'] });
  });

  it('are not used instead of a start once the server has ended, unless only its client can start it', async () => {
    await recorded([...greeting, ...listed], { ended: true });
    const recordings = await find();
    assert.equal(await knownServer(notes, recordings.of(notes)), undefined);
    const asking = { ...notes, start: { ...start, args: ['--key', '${input:key}'] }, asksUser: true };
    assert.equal((await knownServer(asking, recordings.of(asking)))?.source.type, 'recorded');
  });

  it('are all that a check-up uses that starts no server', async () => {
    await recorded([...greeting, ...listed], { ended: true });
    const other = { ...notes, name: 'other', label: 'other', start: { ...notes.start, command: '/no/such/program' } };
    const report = describeCheckUp(await recordedCheckUp([notes, other], await find()));
    assert.match(report, /MCP servers: 2 checked, 0 failed/);
    assert.match(report, /from the recording of the run of .*, because it was not started\n(?:- .*\n)*- tools: [1-9]/);
    assert.match(report, /No recorded run says which tools it has, and it wasn't started\.[^\n]*\n- tools: \?/);
  });

  it('belong to the server with their command, its name or folder, and to no other workspace', async () => {
    await recorded([]);
    await recorded([], { agent: 'other name' });
    await recorded([], { agent: 'other name', cwd: '/elsewhere' });
    await recorded([], { command: ['notes', '--other'] });
    await recorded([], { cwd: '/elsewhere' });
    const recordings = await find();
    assert.equal(recordings.of(notes).length, 3);
    assert.equal(recordings.of({ ...notes, folder: '/w' }).length, 2);
    assert.equal(recordings.of({ ...notes, folder: '/' }).length, 3);
    assert.equal(recordings.of({ ...notes, tap: { name: 'other name' } }).length, 4);
  });

  it('belong to the server if their name and folder were redacted, or would be', async () => {
    const token = 'ghp_Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU5oXi';
    const redacted = new Redactor().line(token);
    const target: CheckTarget = { ...notes, name: `mine ${token}`, cwd: `/w/${token}`, folder: `/w/${token}` };
    await recorded([], { agent: `mine ${redacted}`, cwd: `/w/${redacted}` });
    await recorded([], { agent: `mine ${token}`, cwd: `/w/${token}/inner` });
    await recorded([], { agent: `mine ${redacted}`, cwd: '/w/elsewhere' });
    assert.equal((await find()).of(target).length, 2);
  });

  it('say how often tools were called, failed and timed out, and their p95', async () => {
    await recorded([...greeting, ...called(10, 18, 20, fine), ...called(40, 2, 900, fine)], { ended: true });
    const cancelled = (reason: string): readonly Line[] => [
      ask(90_000, 90, 'tools/call', { name: 'write', arguments: {} }),
      [95_000, 'c2a', { method: 'notifications/cancelled', params: { requestId: 90, reason } }],
    ];
    const failing = [...called(10, 3, 10, failed, 'write'), ...cancelled('Request timed out')];
    await recorded([...greeting, ...failing], { ended: true });
    await recorded(cancelled('The user pressed Escape'), { ended: true });
    // Never answered, as the client waited for it until it ended, or just quit.
    for (const ms of [85_000, 99_000]) {
      await recorded([ask(ms, 1, 'tools/call', { name: 'wait', arguments: {} })], { ended: true });
    }
    // Still open.
    await recorded([ask(10, 1, 'tools/call', { name: 'read', arguments: {} })]);
    await recorded(greeting, { ended: true });
    const past = await pastCalls((await find()).of(notes));
    assert.ok(past);
    assert.deepEqual([past.runs, past.calls], [5, 27]);
    assert.deepEqual(past.tools, [
      { tool: 'write', calls: 5, errors: 3, timeouts: 1, median: 10, p95: 5000 },
      { tool: 'wait', calls: 2, errors: 0, timeouts: 1, median: 1000, p95: 15_000 },
      { tool: 'read', calls: 20, errors: 0, timeouts: 0, median: 20, p95: 900 },
    ]);
    const findings = callFindings({ ...server, past: past.tools });
    const said = ['Timed out in 1 of 5', 'Failed in 3 of 5', 'Timed out in 1 of 2'].map((one) => `${one} past calls`);
    assert.deepEqual(column(findings, 'message').map(inEnglish), said);
  });

  const server = { name: 'notes', label: 'notes', clients: [], tools: [] };

  it('find a slow tool', () => {
    const slow = { tool: 'read', calls: 5, errors: 0, timeouts: 0, median: 1, p95: 30_000 };
    const past = [slow, { ...slow, calls: 4 }, { ...slow, p95: 29_999 }];
    const codes = past.map((tool) => column(callFindings({ ...server, past: [tool] }), 'code'));
    assert.deepEqual(codes, [['slow-tool'], [], []]);
  });

  it('are read up to 4 MB each and 20 for a server, however many there are', async () => {
    const filler: Line = [5, 'a2c', { method: 'notifications/message', params: { data: 'x'.repeat(1_000_000) } }];
    for (let run = 0; run < 25; run++) await recorded(called(10, 1, 10, fine));
    await recorded([...called(10, 1, 10, fine), ...Array<Line>(12).fill(filler), ...called(80, 1, 10, fine)]);
    const recordings = await find();
    assert.equal(recordings.of(notes).length, 20);
    assert.equal((await pastCalls(recordings.of(notes)))?.calls, 20);
  });

  it('that disappear meanwhile are left out', async () => {
    await recorded(called(10, 1, 10, fine));
    const found = (await find()).of(notes);
    await rm(folder.path, { recursive: true });
    assert.equal(await pastCalls(found), undefined);
  });
});
