import { inEnglish, t } from '../../../../src/text/translator';
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { exportRun } from '../../../../src/export/exportRun';
import type { FileRun, FileRunOptions } from '../../../../src/past/files/fileRun';
import { FileRuns } from '../../../../src/past/files/fileRuns';
import type { Run } from '../../../../src/live/run';
import { Cancelled } from '../../../../src/time/waiting';
import { JournalFolder } from '../../../../src/wire/journal/journalFolder';
import { JournalWriter } from '../../../../src/wire/journal/journalWriter';
import { describeRun } from '../../../support/describeRun';
import { isWindows } from '../../../support/platform';
import { recordOf, TestRuns } from '../../../support/testRun';

const options: FileRunOptions = { level: 'info', maxMemory: 16 * 1024 * 1024, redaction: undefined };

describe('past runs', () => {
  let runs: TestRuns;
  let folder: JournalFolder;
  let path: string;
  beforeEach(() => {
    runs = new TestRuns();
    path = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    folder = new JournalFolder(path);
  });
  afterEach(async () => {
    await runs.end();
    rmSync(path, { recursive: true, force: true });
  });

  function journal(name: string, maxFileSize = 1e9, startedAt = Date.now()): JournalWriter {
    return new JournalWriter({
      fileOf: folder.fileOf(name, 'abcdef12-rest', startedAt),
      header: {
        journal: 1,
        agent: name,
        protocol: 'acp',
        command: ['node', 'agent'],
        cwd: '/',
        startedAt: new Date(startedAt).toISOString(),
      },
      startedAt,
      maxFileSize,
      onProblem: (error) => assert.fail(error),
    });
  }

  async function ended(fake: string, maxFileSize?: number): Promise<Run> {
    const run = await runs.start(fake, { journal: journal(fake, maxFileSize), args: ['300'] });
    await run.prompt(await run.newSession(), 'go').catch(() => undefined);
    // It exits a moment after closing its output.
    if (fake === 'crashesInTurn') await recordOf(run, ({ message }) => message.startsWith('exited'));
    await run.stop();
    await run.journal?.close();
    return run;
  }

  const newFileRuns = (): FileRuns => new FileRuns(folder, new JournalFolder(join(path, 'taps')), () => options);

  async function opened(fileRuns = newFileRuns()): Promise<FileRun> {
    const [run] = await fileRuns.refresh();
    assert.ok(run);
    await fileRuns.show(run);
    await run.read();
    return run;
  }

  for (const fake of [
    ...['badLogs', 'garbage', 'asksPermission', 'oddIds', 'unknownEverything', 'crashesInTurn', 'longAnswers'],
    ...['splitUtf8', 'crlf'],
  ]) {
    it(`show what was shown live: ${fake}`, async () => {
      const live = await ended(fake);
      const past = await opened();
      assert.equal(describeRun(past.log, live.startedAt), describeRun(live.log, live.startedAt));
      assert.ok(live.state.type === 'ended' && past.state.type === 'ended');
      assert.deepEqual(past.state.termination, live.state.termination);
      assert.equal(past.name, fake);
    });
  }

  it('show how they ended before they are read', async () => {
    await ended('crashesInTurn');
    const [past] = await newFileRuns().refresh();
    assert.equal(past?.state.type, 'unread');
    assert.equal(past.info.termination?.exitCode, 7);
    assert.equal(past.info.termination.reason, 'error');
    await past.findCause();
    assert.equal(inEnglish(past.termination!.cause!.what!), 'Error: The turn failed');
  });

  it('are one run, however many files the journal has', async () => {
    const parts = journal('parted', 10);
    for (const line of ['one', 'two', 'three']) {
      parts.write({ t: Date.now(), dir: 'err', line });
      await parts.flush();
    }
    await parts.close();
    const fileRuns = newFileRuns();
    const past = await opened(fileRuns);
    assert.equal(fileRuns.listed.length, 1);
    assert.equal(past.journal.paths.length, 3);
    assert.deepEqual(
      past.log.store.query({ kinds: ['stderr'] }).map(({ message }) => message),
      ['one', 'two', 'three'],
    );
  });

  it('say that the journal breaks off, and skip a half-written last line', async () => {
    const live = await ended('badLogs');
    const file = live.journal!.path!;
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, text.indexOf('"ev":"stdin-close"')));
    const past = await opened();
    assert.ok(past.state.type === 'ended');
    assert.deepEqual(past.state.termination.message, t('the journal breaks off here'));
    const [last] = past.log.store.query({ kinds: ['activity'], minLevel: 'warning' });
    assert.match(last?.message ?? '', /^a line that cannot be read: \{"t":/);
  });

  it("don't report a turn as hung if the journal breaks off", async () => {
    const start = Date.parse('2026-01-01T00:00:00Z');
    const parts = journal('A', 1e9, start);
    const say = (t: number, dir: 'c2a' | 'a2c', fields: object): void => {
      const msg = { jsonrpc: '2.0', ...fields };
      parts.write({ t: start + t, dir, line: JSON.stringify(msg), msg });
    };
    say(1, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } });
    say(2, 'a2c', { id: 1, result: { sessionId: 's' } });
    say(3, 'c2a', {
      id: 2,
      method: 'session/prompt',
      params: { sessionId: 's', prompt: [{ type: 'text', text: 'hi' }] },
    });
    const content = { type: 'text', text: 'words' };
    say(4, 'a2c', {
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content } },
    });
    await parts.close();
    const past = await opened();
    assert.deepEqual(past.log.store.query({ kinds: ['diagnosis'] }), []);
    assert.equal(past.log.store.query({ kinds: ['activity'] }).at(-1)?.message, 'words');
    // The activity ends where the journal does.
    assert.equal(past.log.find('s')?.summary?.activity.type, 'answering');
    assert.equal(past.asOf(Date.now()), start + 4);
  });

  it('keep what was read if reading is stopped', async () => {
    const live = await ended('badLogs');
    const file = live.journal!.path!;
    const line = readFileSync(file, 'utf8')
      .split('\n')
      .find((one) => one.includes('"method":"log"'))!;
    appendFileSync(file, `${line}\n`.repeat(200_000));
    const [past] = await newFileRuns().refresh();
    const source = new CancellationTokenSource();
    past!.onDidChangeState(() => source.cancel());
    await past!.read(source.token);
    assert.ok(past!.state.type === 'ended');
    assert.deepEqual(past!.state.termination.message, t('the journal breaks off here'));
    const [note] = past!.log.store.query({ kinds: ['lifecycle'], minLevel: 'warning' });
    assert.match(note!.message, /^Reading stopped after \d+ % of the file$/);
  });

  it("say why the file can't be read", async () => {
    await ended('crlf');
    const fileRuns = newFileRuns();
    const [past] = await fileRuns.refresh();
    rmSync(past!.journal.path!);
    await past!.read();
    const [note] = past!.log.store.query({ kinds: ['lifecycle'], minLevel: 'warning' });
    assert.match(note!.message, /^The rest of the file can't be read: ENOENT/);
  });

  it('evict the least recently used of six open files and can reopen it', async () => {
    for (let i = 0; i < 6; i++) {
      const one = journal(`agent${i}`);
      one.write({ t: Date.now(), dir: 'err', line: 'hello' });
      await one.close();
    }
    const fileRuns = newFileRuns();
    const gone: FileRun[] = [];
    fileRuns.onDidRemove((run) => void gone.push(run));
    const all = await fileRuns.refresh();
    for (const run of all) await fileRuns.show(run);
    assert.deepEqual(gone, [all[0]]);
    assert.equal(fileRuns.open.length, 5);
    assert.equal(fileRuns.find(all[0]!.id)?.state.type, 'unread');
    await fileRuns.dispose();
  });

  it('disappear with their journal', async () => {
    await ended('crlf');
    const fileRuns = newFileRuns();
    const past = await opened(fileRuns);
    await fileRuns.delete(past);
    assert.deepEqual([fileRuns.open, fileRuns.listed], [[], []]);
  });

  describe('exported runs', () => {
    const token = new CancellationTokenSource().token;

    async function exported(format: 'journal' | 'text' | 'jsonl', fake = 'crashesInTurn'): Promise<string> {
      const live = await ended(fake);
      const out = join(path, 'out.txt');
      await exportRun(live, { ...options, path: out, format, token, onProgress: () => undefined });
      return readFileSync(out, 'utf8');
    }

    it('as text have a line for each record, and the exit', async () => {
      const text = await exported('text');
      assert.match(text, /^# crashesInTurn \(acp\), started /);
      assert.match(text, /\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[error\] \[agent\] exited with code 7\n/);
      assert.match(text, /\nExit code: {2}7\n/);
    });

    it('as JSON lines have the run, its records and its termination in wire format', async () => {
      const lines = (await exported('jsonl'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.equal((lines[0]?.['run'] as { name: string }).name, 'crashesInTurn');
      assert.equal((lines.at(-1)?.['termination'] as { exit_code: number }).exit_code, 7);
      const records = lines.slice(1, -1);
      assert.deepEqual(
        records.map(({ seq }) => seq),
        records.map((_, index) => index + 1),
      );
      const ids = records.flatMap(({ sessionId }) => (typeof sessionId === 'string' ? [sessionId] : []));
      assert.deepEqual([...new Set(ids)], ['fake-1']);
    });

    it('as a journal are the journal', async () => {
      const live = await ended('badLogs', 5000);
      const out = join(path, 'copy');
      await exportRun(live, { ...options, path: out, format: 'journal', token, onProgress: () => undefined });
      const whole = live.journal!.paths.map((part) => readFileSync(part, 'utf8')).join('');
      assert.equal(readFileSync(out, 'utf8'), whole);
    });

    it('without a journal have what is in memory', async () => {
      const run = await runs.start('crashesInTurn');
      await run.prompt(await run.newSession(), 'go').catch(() => undefined);
      await recordOf(run, ({ message }) => message.startsWith('exited'));
      await run.stop();
      const out = join(path, 'memory.txt');
      await exportRun(run, { ...options, path: out, format: 'text', token, onProgress: () => undefined });
      assert.match(readFileSync(out, 'utf8'), /exited with code 7/);
    });

    it("can't overwrite the file that they are read from, under any name", async () => {
      const past = await ended('crlf').then(() => opened());
      const [own] = past.journal.paths;
      assert.ok(own !== undefined);
      const before = readFileSync(own, 'utf8');
      const link = join(path, 'link');
      if (!isWindows) symlinkSync(own, link); // needs privileges on Windows
      for (const target of [own, isWindows ? own.toUpperCase() : link]) {
        const how = { ...options, path: target, format: 'journal' as const, token, onProgress: () => undefined };
        await assert.rejects(exportRun(past, how), /read from this file/);
      }
      assert.equal(readFileSync(own, 'utf8'), before);
    });

    it('have what is left of a journal whose first files were deleted', async () => {
      const parts = journal('parted', 10);
      for (const line of ['one', 'two', 'three']) {
        parts.write({ t: Date.now(), dir: 'err', line });
        await parts.flush();
      }
      await parts.close();
      const past = await opened();
      rmSync(past.journal.paths[0] ?? '');
      for (const format of ['journal', 'text'] as const) {
        const out = join(path, `${format}.txt`);
        await exportRun(past, { ...options, path: out, format, token, onProgress: () => undefined });
        const text = readFileSync(out, 'utf8');
        assert.ok(!text.includes('one') && text.includes('two') && text.includes('three'));
      }
    });

    it('as a journal need one', async () => {
      const live = await ended('crlf');
      await live.journal?.delete();
      const out = { ...options, path: join(path, 'x'), format: 'journal' as const, token, onProgress: () => undefined };
      await assert.rejects(exportRun(live, out), /no journal/);
      assert.equal(existsSync(join(path, 'x')), false);
    });

    it('can be cancelled, and report file system errors', async () => {
      const live = await ended('crlf');
      const source = new CancellationTokenSource();
      source.cancel();
      const target = { ...options, format: 'text' as const, onProgress: () => undefined };
      await assert.rejects(exportRun(live, { ...target, path: join(path, 'x'), token: source.token }), Cancelled);
      await assert.rejects(exportRun(live, { ...target, path: join(path, 'no', 'x'), token }), /ENOENT/);
    });
  });
});
