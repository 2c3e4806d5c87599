import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { withFileLock } from '../../../src/machine/fileLock';
import { useFolder } from '../../support/tempFolder';

describe('file lock', () => {
  const folder = useFolder();
  let path: string;
  beforeEach(() => (path = folder.in('lock')));

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
    const failing = withFileLock(path, () => Promise.reject(new Error('no')));
    await assert.rejects(failing, /no/);
    assert.equal(await withFileLock(path, () => Promise.resolve(1)), 1);
  });

  it('takes over a lock that a crashed process left', async () => {
    writeFileSync(path, '');
    assert.equal(await withFileLock(path, () => Promise.resolve(1), 0), 1);
  });

  it('fails if the lock cannot be created', async () => {
    const missing = withFileLock(folder.in('missing', 'lock'), () => Promise.resolve());
    await assert.rejects(missing, /ENOENT/);
  });
});
