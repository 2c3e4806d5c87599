import { inEnglish, t } from '../../../../src/text/translator';
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { ExportFormat } from '../../../../src/export/exportFormat';
import { exportRun } from '../../../../src/export/exportRun';
import type { FileRun } from '../../../../src/past/files/fileRun';
import type { Run } from '../../../../src/live/run';
import { Cancelled } from '../../../../src/time/waiting';
import { JournalFolder } from '../../../../src/wire/journal/journalFolder';
import { JournalWriter } from '../../../../src/wire/journal/journalWriter';
import { describeRun } from '../../../support/describeRun';
import { column } from '../../../support/columns';
import { newFileRuns } from '../../../support/fileRuns';
import { isWindows } from '../../../support/platform';
import { useFolder } from '../../../support/tempFolder';
import { recordOf, TestRuns } from '../../../support/testRun';

describe('past runs', () => {
  const runs = TestRuns.ofSuite();
  const home = useFolder();
  const folder = (): JournalFolder => new JournalFolder(home.path);

  function journal(name: string, maxFileSize = 1e9, startedAt = Date.now()): JournalWriter {
    const about = { journal: 1, agent: name, protocol: 'acp', command: ['node', 'agent'], cwd: '/' } as const;
    return new JournalWriter({
      fileOf: folder().fileOf(name, 'abcdef12-rest', startedAt),
      header: { ...about, startedAt: new Date(startedAt).toISOString() },
      startedAt,
      maxFileSize,
      onProblem: (error) => assert.fail(error),
    });
  }

  /** A journal with a line of standard error in each of three files. */
  async function parted(): Promise<void> {
    const parts = journal('parted', 10);
    for (const line of ['one', 'two', 'three']) {
      parts.write({ t: Date.now(), dir: 'err', line });
      await parts.flush();
    }
    await parts.close();
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

  async function opened(fileRuns = newFileRuns(folder())): Promise<FileRun> {
    const [run = assert.fail('no run')] = await fileRuns.refresh();
    await fileRuns.show(run);
    await run.read();
    return run;
  }

  const warningOf = (run: FileRun): string =>
    run.log.store.query({ kinds: ['lifecycle'], minLevel: 'warning' })[0]?.message ?? '';

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
    const [past] = await newFileRuns(folder()).refresh();
    assert.equal(past?.state.type, 'unread');
    const { exitCode, reason } = past.info.termination ?? {};
    assert.deepEqual([exitCode, reason], [7, 'error']);
    await past.findCause();
    assert.equal(inEnglish(past.termination!.cause!.what!), 'Error: The turn failed');
  });

  it('are one run, however many files the journal has', async () => {
    await parted();
    const fileRuns = newFileRuns(folder());
    const past = await opened(fileRuns);
    assert.deepEqual([fileRuns.listed.length, past.journal.paths.length], [1, 3]);
    assert.deepEqual(column(past.log.store.query({ kinds: ['stderr'] }), 'message'), ['one', 'two', 'three']);
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
    const prompt = [{ type: 'text', text: 'hi' }];
    say(3, 'c2a', { id: 2, method: 'session/prompt', params: { sessionId: 's', prompt } });
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'words' } };
    say(4, 'a2c', { method: 'session/update', params: { sessionId: 's', update } });
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
    const lines = readFileSync(file, 'utf8').split('\n');
    const line = lines.find((one) => one.includes('"method":"log"'))!;
    appendFileSync(file, `${line}\n`.repeat(200_000));
    const [past] = await newFileRuns(folder()).refresh();
    const source = new CancellationTokenSource();
    past!.onDidChangeState(() => source.cancel());
    await past!.read(source.token);
    assert.ok(past!.state.type === 'ended');
    assert.deepEqual(past!.state.termination.message, t('the journal breaks off here'));
    assert.match(warningOf(past!), /^Reading stopped after \d+ % of the file$/);
  });

  it("say why the file can't be read", async () => {
    await ended('crlf');
    const fileRuns = newFileRuns(folder());
    const [past] = await fileRuns.refresh();
    rmSync(past!.journal.path!);
    await past!.read();
    assert.match(warningOf(past!), /^The rest of the file can't be read: ENOENT/);
  });

  it('evict the least recently used of six open files and can reopen it', async () => {
    for (let i = 0; i < 6; i++) {
      const one = journal(`agent${i}`);
      one.write({ t: Date.now(), dir: 'err', line: 'hello' });
      await one.close();
    }
    const fileRuns = newFileRuns(folder());
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
    const fileRuns = newFileRuns(folder());
    const past = await opened(fileRuns);
    await fileRuns.delete(past);
    assert.deepEqual([fileRuns.open, fileRuns.listed], [[], []]);
  });

  describe('exported runs', () => {
    const { token } = new CancellationTokenSource();

    /** Exports a run, and returns the file. */
    async function exported(run: Run | FileRun, format: ExportFormat, path = home.in('out.txt'), how = token) {
      await exportRun(run, { format, path, redaction: undefined, token: how, onProgress: () => undefined });
      return readFileSync(path, 'utf8');
    }

    it('as text have a line for each record, and the exit', async () => {
      const text = await exported(await ended('crashesInTurn'), 'text');
      assert.match(text, /^# crashesInTurn \(acp\), started /);
      assert.match(text, /\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[error\] \[agent\] exited with code 7\n/);
      assert.match(text, /\nExit code: {2}7\n/);
    });

    it('as JSON lines have the run, its records and its termination in wire format', async () => {
      const text = (await exported(await ended('crashesInTurn'), 'jsonl')).trimEnd();
      const lines = text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.equal((lines[0]?.['run'] as { name: string }).name, 'crashesInTurn');
      assert.equal((lines.at(-1)?.['termination'] as { exit_code: number }).exit_code, 7);
      const records = lines.slice(1, -1);
      assert.ok(records.every(({ seq }, index) => seq === index + 1));
      assert.deepEqual([...new Set(column(records, 'sessionId'))].filter(Boolean), ['fake-1']);
    });

    it('as a journal are the journal', async () => {
      const live = await ended('badLogs', 5000);
      const whole = live.journal!.paths.map((part) => readFileSync(part, 'utf8')).join('');
      assert.equal(await exported(live, 'journal'), whole);
    });

    it('without a journal have what is in memory', async () => {
      const run = await runs.start('crashesInTurn');
      await run.prompt(await run.newSession(), 'go').catch(() => undefined);
      await recordOf(run, ({ message }) => message.startsWith('exited'));
      await run.stop();
      assert.match(await exported(run, 'text'), /exited with code 7/);
    });

    it("can't overwrite the file that they are read from, under any name", async () => {
      const past = await ended('crlf').then(() => opened());
      const [own] = past.journal.paths;
      assert.ok(own !== undefined);
      const before = readFileSync(own, 'utf8');
      if (!isWindows) symlinkSync(own, home.in('link')); // needs privileges on Windows
      for (const target of [own, isWindows ? own.toUpperCase() : home.in('link')]) {
        await assert.rejects(exported(past, 'journal', target), /read from this file/);
      }
      assert.equal(readFileSync(own, 'utf8'), before);
    });

    it('have what is left of a journal whose first files were deleted', async () => {
      await parted();
      const past = await opened();
      rmSync(past.journal.paths[0] ?? '');
      for (const format of ['journal', 'text'] as const) {
        const text = await exported(past, format);
        assert.ok(!text.includes('one') && text.includes('two') && text.includes('three'));
      }
    });

    it('as a journal need one', async () => {
      const live = await ended('crlf');
      await live.journal?.delete();
      await assert.rejects(exported(live, 'journal'), /no journal/);
      assert.equal(existsSync(home.in('out.txt')), false);
    });

    it('can be cancelled, and report file system errors', async () => {
      const live = await ended('crlf');
      const source = new CancellationTokenSource();
      source.cancel();
      await assert.rejects(exported(live, 'text', home.in('x'), source.token), Cancelled);
      await assert.rejects(exported(live, 'text', home.in('no', 'x')), /ENOENT/);
    });
  });
});
