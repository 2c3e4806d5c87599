import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itOnPosix } from '../../support/platform';
import { elapsedSeconds, isAlive, isBeingWritten, isStillAlive } from '../../../src/wire/processAlive';

/** Linux gives no id as high as this. */
const nobody = 2 ** 22 + 1;
const longAgo = Date.parse('2020-01-01T00:00:00.000Z');

interface Question {
  readonly startedAt?: number;
  readonly beat?: number;
  readonly touched?: number;
  readonly file?: string;
  readonly platform?: NodeJS.Platform;
}

describe('who writes a journal', () => {
  let folder: string;
  let path: string;
  let file: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    path = join(folder, 'journal.ndjson');
    file = openSync(path, 'a');
  });
  afterEach(() => {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  });

  const isThere = (
    pid: number,
    { startedAt = Date.now(), beat, touched = Date.now(), file: name = path, platform }: Question = {},
  ): Promise<boolean> =>
    isBeingWritten(
      {
        journal: 1,
        agent: 'A',
        protocol: 'acp',
        command: [],
        cwd: '/',
        startedAt: Number.isNaN(startedAt) ? '' : new Date(startedAt).toISOString(),
        part: 1,
        tap: { pid, ...(beat !== undefined && { beat }) },
      },
      { path: name, modifiedAt: touched },
      platform,
    );

  it('is there as long as its process is', async () => {
    assert.equal(await isThere(process.pid), true);
    assert.equal(await isThere(process.pid, { startedAt: NaN }), true);
    assert.equal(await isThere(nobody), false);
    assert.ok(isAlive(process.pid) && !isAlive(nobody));
  });

  it('is no process that began later, unless it has the journal open', async function () {
    if (process.platform !== 'linux') this.skip();
    const { title } = process;
    for (const name of [title, 'a) R 1 2 (b']) {
      process.title = name;
      assert.equal(await isThere(process.pid, { startedAt: longAgo, file: join(folder, 'none') }), false);
      assert.equal(await isThere(1, { startedAt: longAgo }), false);
      assert.equal(await isThere(1), true);
      assert.equal(await isThere(process.pid, { startedAt: longAgo }), true);
    }
    process.title = title;
  });

  it('is not another process that got its PID, on systems that do not tell when one began', async () => {
    for (const platform of ['win32', 'darwin'] as const) {
      const minutesAgo = (minutes: number): number => Date.now() - minutes * 60_000;
      assert.equal(await isThere(process.pid, { beat: 60, touched: minutesAgo(2), platform }), true);
      assert.equal(await isThere(process.pid, { beat: 60, touched: minutesAgo(4), platform }), false);
      assert.equal(await isThere(nobody, { beat: 60, platform }), false);
      // A journal of an older version has no beat.
      assert.equal(await isThere(process.pid, { touched: minutesAgo(4), platform }), true);
    }
  });
});

describe('a process whose PID was saved', () => {
  itOnPosix('is another process if it began later, by /proc and by ps', async () => {
    for (const platform of ['linux', 'darwin'] as const) {
      if (platform === 'linux' && process.platform !== 'linux') continue;
      assert.equal(await isStillAlive(process.pid, Date.now(), platform), true, platform);
      assert.equal(await isStillAlive(process.pid, longAgo, platform), false, platform);
      assert.equal(await isStillAlive(nobody, Date.now(), platform), false, platform);
    }
  });

  it('is the same process on Windows as long as one has the PID', async () => {
    assert.equal(await isStillAlive(process.pid, longAgo, 'win32'), true);
  });

  it('has run for the time that ps prints', () => {
    assert.equal(elapsedSeconds('    00:07\n'), 7);
    assert.equal(elapsedSeconds('02:03:04\n'), 7384);
    assert.equal(elapsedSeconds(' 12-02:03:04\n'), 1_044_184);
    for (const text of ['', '\n', 'ELAPSED', '7']) assert.equal(elapsedSeconds(text), undefined);
  });
});
