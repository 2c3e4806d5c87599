import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { FileRunInfo } from '../../../../../src/past/files/fileRunInfo';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { Runs, RunViews } from '../../../../../src/runs/runs';
import type { LaunchContext } from '../../../../../src/live/config/launchSpec';
import { launchSpec } from '../../../../../src/live/config/launchSpec';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { Replays } from '../../../../../src/ui/services/agents/replays';

const transcripts = resolve('test/fixtures/transcripts');

describe('replays', () => {
  let folder: string;
  let journals: string;
  let fileRuns: FileRuns;
  let replays: Replays;
  let context: LaunchContext;
  const free = (): boolean => false;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-logs-replays-'));
    journals = join(folder, 'journals');
    mkdirSync(journals);
    const texts = { id: 'x', name: 'Saved', protocol: 'acp', origin: 'saved', cwd: '' };
    const saved = { ...texts, command: [], paths: [], saved: { sessionId: 's', agentName: 'Claude Code' } };
    const options = { level: 'info', maxMemory: 1e6, redaction: undefined } as const;
    const find = (path: string): Promise<FileRunInfo | undefined> =>
      Promise.resolve(path.endsWith('saved.jsonl') ? (saved as unknown as FileRunInfo) : undefined);
    const taps = new JournalFolder(join(folder, 'taps'));
    fileRuns = new FileRuns(new JournalFolder(journals), taps, () => options, find);
    replays = new Replays(fileRuns, new RunViews(new Runs(), fileRuns), '/extension');
    context = { workspaceFolder: folder, userHome: folder, env: { NAME: 'run' } };
  });
  afterEach(async () => {
    await fileRuns.dispose();
    rmSync(folder, { recursive: true });
  });

  const recorded = (name: string, as = 'run.ndjson'): string => {
    const path = join(folder, as);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(join(transcripts, name), path);
    return path;
  };

  for (const [name, protocol] of [
    ['claude-v2.ndjson', 'acp'],
    ['mcp-everything.ndjson', 'mcp'],
    ['lsp-login.ndjson', 'lsp'],
    ['../streams/claude.ndjson', 'stream-json'],
  ] as const) {
    it(`start ${name} with the extension's own program, in its protocol`, async () => {
      const path = recorded(name);
      const agent = await replays.add(path, free);
      assert.match(agent.name, /^Replay: /);
      const started = await replays.agentOf(agent, context);
      assert.equal(started.protocol, protocol);
      const { command, args, env } = launchSpec(started, context);
      assert.deepEqual([command, env['ELECTRON_RUN_AS_NODE']], [process.execPath, '1']);
      assert.deepEqual(args, [join('/extension', 'dist', 'cli.js'), 'replay', path]);
    });
  }

  it('are one agent per run, each with its own name', async () => {
    const [one, two] = [recorded('claude-v2.ndjson'), recorded('claude-v2.ndjson', 'b/run.ndjson')];
    const first = await replays.add(one, free);
    assert.equal(await replays.add(one, free), first);
    const { name } = await replays.add(two, free);
    assert.equal(name, `${first.name} 2`);
    const third = await replays.add(recorded('claude-v2.ndjson', 'c/run.ndjson'), (taken) => taken.endsWith(' 3'));
    assert.equal(third.name, `${first.name} 4`);
    assert.equal(replays.all.length, 3);
  });

  it('of the settings name a file, by variables too, or the end of a run id', async () => {
    const path = recorded('mcp-everything.ndjson');
    const target = async (replay: string): Promise<string | undefined> =>
      (await replays.agentOf({ name: 'Mine', replay, args: ['--loose'] }, context)).args.at(-2);
    for (const replay of ['run.ndjson', path, '${workspaceFolder}/${env:NAME}.ndjson', '~/run.ndjson']) {
      assert.equal(await target(replay), path, replay);
    }
    const journal = join(journals, '2026-11-20T10-00-00-000Z Agent 0123abcd.ndjson');
    copyFileSync(path, journal);
    assert.equal(await target('0123abcd'), journal);
    await fileRuns.refresh();
    assert.equal(await target(fileRuns.listed[0]?.id ?? ''), journal);
  });

  it('know the prompts that they answer', async () => {
    const { name } = await replays.add(recorded('claude-v2.ndjson'), free);
    assert.deepEqual(await replays.promptsOf(name), ['Say hello in one word.']);
    assert.deepEqual(await replays.promptsOf('Other'), []);
    assert.deepEqual(fileRuns.open, []);
  });

  it('start paths as they are', async () => {
    const path = recorded('claude-v2.ndjson', 'a ${b}.ndjson');
    const started = await replays.agentOf(await replays.add(path, free), context);
    assert.equal(launchSpec(started, context).args.at(-1), path);
  });

  it('say what to do if there is nothing to replay', async () => {
    const refused = (path: string, message: RegExp): Promise<void> => assert.rejects(replays.add(path, free), message);
    await refused(join(folder, 'none.ndjson'), /none\.ndjson doesn't exist, .*Choose another run or file/);
    await refused(join(folder, 'saved.jsonl'), /Saved is a saved session, .*Replay a journal, a transcript/);
    const log = join(folder, 'log.ndjson');
    writeFileSync(log, '{"level":30,"time":1730000000000,"msg":"hello"}\n');
    await refused(log, /log\.ndjson has no messages of an agent\. Replay a journal/);
    const writing = recorded('claude-v2.ndjson', 'writing.ndjson');
    const startedAt = new Date().toISOString();
    const host = { pid: process.pid };
    const header = { journal: 1, agent: 'A', protocol: 'acp', host, startedAt, command: [], cwd: '' };
    const open = readFileSync(writing, 'utf8').replace(/.*"ev":"exit".*/g, '');
    writeFileSync(writing, `${JSON.stringify(header)}\n${open}`);
    await refused(writing, /is still being written\. Replay it when the run has ended/);
  });

  it('say so if the journal of a run was deleted meanwhile', async () => {
    const journal = join(journals, '2026-11-20T10-00-00-000Z Agent 0123abcd.ndjson');
    copyFileSync(join(transcripts, 'claude-v2.ndjson'), journal);
    const [run] = await fileRuns.refresh();
    assert.ok(run && existsSync(journal));
    rmSync(journal);
    await assert.rejects(replays.add(run, free), /The journal of .* doesn't exist, so it can't be replayed/);
  });
});
