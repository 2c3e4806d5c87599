import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { stat } from 'node:fs/promises';
import { mock } from 'node:test';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import type { FileStats } from '../../../src/wire/fileSource';
import { FileSource } from '../../../src/wire/fileSource';
import { useFolder } from '../../support/tempFolder';

describe('a file that is read', () => {
  const folder = useFolder();

  /** As Node.js 22.12 to 22.16 on Windows: another device than the handle has. */
  async function byName(path: string): Promise<FileStats> {
    const { ino, size, mtimeMs } = await stat(path);
    return { dev: 0, ino, size, mtimeMs };
  }

  /** Opens a file with this text, and closes it after the check. */
  async function reading(
    text: string,
    check: (source: FileSource, path: string) => Promise<void>,
    look?: typeof byName,
  ): Promise<void> {
    const path = folder.in('a.log');
    writeFileSync(path, text);
    const source = await FileSource.open(path, look);
    await check(source, path).finally(() => source.close());
  }

  it('is the same file, though its name and its handle tell different devices', () =>
    reading(
      'one\n',
      async (source, path) => {
        assert.equal(String(await source.read()), 'one\n');
        appendFileSync(path, 'two\n');
        assert.equal(await source.wait(), 'grown');
        assert.equal(String(await source.read()), 'two\n');
      },
      byName,
    ));

  it('is read on after reading ahead has failed once', () =>
    reading('x'.repeat(200_000), async (source) => {
      const { handle } = (source as unknown as { file: { handle: FileHandle } }).file;
      const read = handle.read.bind(handle);
      let reads = 0;
      // The second one is ahead of the caller.
      handle.read = (...args: Parameters<typeof read>) => {
        return ++reads === 2 ? Promise.reject(new Error('EIO')) : read(...args);
      };
      let size = (await source.read())?.length ?? 0;
      await assert.rejects(source.read(), /EIO/);
      for (let bytes = await source.read(); bytes; bytes = await source.read()) size += bytes.length;
      assert.equal(size, 200_000);
    }));

  it('does not wait for a signal that was given before', () =>
    reading('', async (source) => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const waited = source.wait(AbortSignal.abort()).finally(() => mock.timers.reset());
      assert.equal(await waited, 'unchanged');
    }));

  it('is looked at less and less often while it is idle, and at once when it grows', async () => {
    const path = folder.in('a.log');
    writeFileSync(path, 'one\n');
    const { dev, ino, size, mtimeMs } = await stat(path);
    let looks = 0;
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const over = new AbortController();
    const source = await FileSource.open(path, () => Promise.resolve({ dev, ino, size, mtimeMs: mtimeMs + looks++ }));
    const following = (async () => {
      while (!over.signal.aborted) await source.wait(over.signal);
    })();
    try {
      for (let ms = 0; ms < 60_000; ms += 50) {
        mock.timers.tick(50);
        await new Promise(setImmediate);
      }
      assert.ok(looks >= 8 && looks <= 14, `${looks} looks in a minute`);
      const before = looks;
      appendFileSync(path, 'two\n');
      while (looks === before) await new Promise(setImmediate);
    } finally {
      mock.timers.reset();
      over.abort();
      await following;
      await source.close();
    }
  });

  it('is a file: neither a folder nor a pipe, which might never be written', async () => {
    const folders = new JournalFolder(folder.in('journals'));
    await assert.rejects(folders.setOf(folder.path), /is a folder\. Name one of the files in it/);
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [folder.in('pipe.log')]);
    await assert.rejects(folders.setOf(folder.in('pipe.log')), /isn't a file/);
  });

  it('is another one when another has its name', () =>
    reading(
      'one\n',
      async (source, path) => {
        await source.read();
        writeFileSync(folder.in('b.log'), 'two\n');
        // Windows replaces no file that is open, but lets it have another name.
        if (process.platform === 'win32') renameSync(path, folder.in('a.1.log'));
        renameSync(folder.in('b.log'), path);
        assert.equal(await source.wait(), 'restarted');
        assert.equal(String(await source.read()), 'two\n');
      },
      byName,
    ));
});
