import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFileLock } from '../../../src/machine/fileLock';

describe('file lock', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-logs-test-'));
    path = join(folder, 'lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('lets one action run at a time, and removes its file', async () => {
    let running = 0;
    const action = async (): Promise<void> => {
      assert.equal(++running, 1);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    await Promise.all([1, 2, 3].map(() => withFileLock(path, action)));
    assert.ok(!existsSync(path));
  });

  it('is released by an action that fails', async () => {
    await assert.rejects(
      withFileLock(path, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await withFileLock(path, () => Promise.resolve(1)), 1);
  });

  it('takes over a lock that a crashed process left', async () => {
    writeFileSync(path, '');
    assert.equal(await withFileLock(path, () => Promise.resolve(1), 0), 1);
  });

  it('fails if the lock cannot be created', async () => {
    await assert.rejects(
      withFileLock(join(folder, 'missing', 'lock'), () => Promise.resolve()),
      /ENOENT/,
    );
  });
});
