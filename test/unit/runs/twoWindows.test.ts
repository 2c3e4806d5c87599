import { inEnglishTermination } from '../../../src/wire/termination';
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { FileRuns } from '../../../src/past/files/fileRuns';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { JournalWriter } from '../../../src/wire/journal/journalWriter';
import { newFileRuns } from '../../support/fileRuns';
import { useFolder } from '../../support/tempFolder';

/** Deletes everything that isn't in use. */
const nothing = { maxTotalSize: 0, maxAge: -1 };

/** The extension host of the other window is an idle process; its journals are written here, under its PID. */
describe('two windows over one folder of journals', () => {
  let folder: JournalFolder;
  let other: ChildProcess;
  let runs: FileRuns;

  afterEach(async () => {
    await runs.dispose();
    await endOther();
  });
  const home = useFolder();
  beforeEach(async () => {
    folder = new JournalFolder(home.path);
    runs = newFileRuns(folder);
    other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(other, 'spawn');
  });

  async function endOther(): Promise<void> {
    if (other.exitCode !== null || other.signalCode !== null) return;
    other.kill('SIGKILL');
    await once(other, 'exit');
  }

  /** Begins a journal of the other window. */
  async function begin(agent: string, maxFileSize = 1e9): Promise<JournalWriter> {
    const startedAt = Date.now();
    const host = { pid: other.pid ?? 0 };
    const about = { journal: 1, host, agent, protocol: 'acp', command: ['agent'], cwd: '/' } as const;
    const journal = new JournalWriter({
      fileOf: folder.fileOf(agent, 'abcdef12', startedAt),
      header: { ...about, startedAt: new Date(startedAt).toISOString() },
      startedAt,
      maxFileSize,
      onProblem: (error) => assert.fail(error),
    });
    journal.write({ t: startedAt, dir: 'ev', ev: 'spawn', pid: 1, command: ['agent'], cwd: '/' });
    await journal.flush();
    return journal;
  }

  const prune = (): Promise<number> => folder.prune(nothing, Date.now(), new Set());

  it('leave each other the journals that are being written, in all their parts', async () => {
    const journal = await begin('Live', 1);
    journal.write({ t: Date.now(), dir: 'ev', ev: 'stdin-close' });
    await journal.flush();
    assert.equal(journal.paths.length, 2);
    assert.equal(await prune(), 0);
    assert.ok(journal.paths.every((part) => existsSync(part)));
    await journal.close();
  });

  it('clean up after each other: runs that have ended, and windows that were killed', async () => {
    const ended = await begin('Ended');
    ended.write({ t: Date.now(), dir: 'ev', ev: 'exit', code: 0, signal: null });
    await ended.close();
    assert.equal(await prune(), 1);
    const killed = await begin('Killed');
    await killed.close();
    assert.equal(await prune(), 0);
    await endOther();
    assert.equal(await prune(), 1);
  });

  it('show a run of the other as running until it ends or its window is killed', async () => {
    const journal = await begin('Live');
    const [live] = await runs.refresh();
    assert.equal(live?.info.writer, other.pid);
    assert.equal(live?.info.termination, undefined);
    assert.equal((await runs.refresh())[0], live, 'nothing has changed');
    await journal.close();
    await endOther();
    const [lost] = await runs.refresh();
    assert.equal(lost?.info.writer, undefined);
  });

  it('follow what the other writes, and its end', async () => {
    const journal = await begin('Live');
    const [found] = await runs.refresh();
    assert.ok(found);
    const run = await runs.show(found);
    const ended = new Promise<string | undefined>((resolve) => {
      run.onDidChangeState((state) => {
        if (state.type === 'ended') resolve(inEnglishTermination(state.termination).message);
      });
    });
    await run.read();
    assert.equal(run.state.type, 'following');
    journal.write({ t: Date.now(), dir: 'ev', ev: 'exit', code: 3, signal: null });
    journal.write({ t: Date.now(), dir: 'ev', ev: 'end', reason: 'error', terminatedBy: 'agent', message: 'exit 3' });
    await journal.close();
    assert.equal(await ended, 'exit 3');
  });
});
