import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { itOnPosix } from '../../support/platform';
import { useFolder } from '../../support/tempFolder';
import { isAlive, stillAlive } from '../../../src/machine/processAlive';
import { isBeingWritten } from '../../../src/wire/journal/beingWritten';
import { elapsedSeconds, ProcessStarts } from '../../../src/machine/processStarts';

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
  const folder = useFolder();
  let path: string;
  let file: number;
  beforeEach(() => {
    path = folder.in('journal.ndjson');
    file = openSync(path, 'a');
  });
  afterEach(() => closeSync(file));
  const minutesAgo = (minutes: number): number => Date.now() - minutes * 60_000;

  const isThere = (
    pid: number,
    { startedAt = Date.now(), beat, touched = Date.now(), file: name = path, platform }: Question = {},
  ): Promise<boolean> => {
    const begun = Number.isNaN(startedAt) ? '' : new Date(startedAt).toISOString();
    const agent = { agent: 'A', protocol: 'acp', command: [], cwd: '/' } as const;
    const tap = { pid, ...(beat !== undefined && { beat }) };
    const header = { journal: 1, ...agent, startedAt: begun, part: 1, tap } as const;
    return isBeingWritten(header, { path: name, modifiedAt: touched }, platform);
  };

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
      assert.equal(await isThere(process.pid, { startedAt: longAgo, file: folder.in('none') }), false);
      assert.equal(await isThere(1, { startedAt: longAgo }), false);
      assert.equal(await isThere(1), true);
      assert.equal(await isThere(process.pid, { startedAt: longAgo }), true);
      // One of another machine with the PID of a process here.
      assert.equal(await isThere(1, { beat: 60, touched: minutesAgo(4) }), false);
      assert.equal(await isThere(1, { beat: 60, touched: minutesAgo(2) }), true);
      assert.equal(await isThere(process.pid, { beat: 60, touched: minutesAgo(4) }), true);
    }
    process.title = title;
  });

  it('is not another process that got its PID, on systems that do not tell when one began', async () => {
    for (const platform of ['win32', 'darwin'] as const) {
      assert.equal(await isThere(process.pid, { beat: 60, touched: minutesAgo(2), platform }), true);
      assert.equal(await isThere(process.pid, { beat: 60, touched: minutesAgo(4), platform }), false);
      assert.equal(await isThere(nobody, { beat: 60, platform }), false);
      // A journal of an older version has no beat.
      assert.equal(await isThere(process.pid, { touched: minutesAgo(4), platform }), true);
    }
  });
});

describe('a process whose PID was saved', () => {
  const now = (): number => Date.now();

  itOnPosix('is another process if it began later, by /proc and by ps', async () => {
    for (const platform of ['linux', 'darwin'] as const) {
      if (platform === 'linux' && process.platform !== 'linux') continue;
      const isThere = stillAlive(new ProcessStarts(platform));
      assert.equal(await isThere({ pid: process.pid, at: now() }), true, platform);
      assert.equal(await isThere({ pid: process.pid, at: longAgo }), false, platform);
      assert.equal(await isThere({ pid: nobody, at: now() }), false, platform);
    }
  });

  it('is another process if it began later, by what Windows says', async () => {
    const startedAt = now() - 60_000;
    const isThere = stillAlive(new ProcessStarts('win32', () => Promise.resolve(`${process.pid} ${startedAt}\r\n`)));
    assert.equal(await isThere({ pid: process.pid, at: startedAt + 1000 }), true);
    assert.equal(await isThere({ pid: process.pid, at: startedAt - 60_000 }), false);
  });

  it('is the same process if nothing says when it began', async () => {
    for (const output of ['', 'ps: illegal option\n', `${process.pid} -\n`]) {
      const isThere = stillAlive(new ProcessStarts('win32', () => Promise.resolve(output)));
      assert.equal(await isThere({ pid: process.pid, at: longAgo }), true);
    }
  });

  it('is not one of another machine', async () => {
    const isThere = stillAlive(new ProcessStarts(), 'Laptop.local');
    const at = now();
    const hosts = ['laptop', 'laptop.fritz.box', undefined, 'server'];
    const found = await Promise.all(hosts.map((host) => isThere({ pid: process.pid, at, host })));
    assert.deepEqual(found, [true, true, true, false]);
  });
});

describe('when processes began', () => {
  it('is asked once for all of them, and again only after a while', async () => {
    const questions: string[] = [];
    const starts = new ProcessStarts('darwin', (_, args) => {
      questions.push(args.at(-1) ?? '');
      return Promise.resolve('    7    01:00\n   88 1-00:00:00\n');
    });
    const ages = await Promise.all([7, 88, 9].map((pid) => starts.of(pid)));
    const minutes = ages.map((start) => start && Math.round((Date.now() - start) / 60_000));
    assert.deepEqual(minutes, [1, 24 * 60, undefined]);
    await starts.of(88);
    assert.deepEqual(questions, ['7,88,9']);
    await starts.of(10);
    assert.deepEqual(questions, ['7,88,9', '10']);
  });

  it('is the time that ps prints', () => {
    assert.equal(elapsedSeconds('    00:07\n'), 7);
    assert.equal(elapsedSeconds('02:03:04\n'), 7384);
    assert.equal(elapsedSeconds(' 12-02:03:04\n'), 1_044_184);
    for (const text of ['', '\n', 'ELAPSED', '7']) assert.equal(elapsedSeconds(text), undefined);
  });
});
