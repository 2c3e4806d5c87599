import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder, makeFolderNow } from '../../../src/machine/makeFolder';

const ways: readonly (readonly [name: string, make: (path: string) => Promise<void>])[] = [
  ['makeFolder', makeFolder],
  [
    'makeFolderNow',
    async (path) => {
      await Promise.resolve();
      makeFolderNow(path);
    },
  ],
];

for (const [name, make] of ways) {
  describe(name, () => {
    let folder: string;

    beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'agent-logs-test-'))));
    afterEach(() => rmSync(folder, { recursive: true }));

    it('makes a folder with those that it is in, for the person alone, and leaves one that is there', async () => {
      const path = join(folder, 'a', 'b');
      await make(path);
      await make(path);
      for (const made of [path, join(folder, 'a')]) {
        assert.ok(statSync(made).isDirectory());
        if (process.platform !== 'win32') assert.equal(statSync(made).mode & 0o777, 0o700);
      }
    });

    it('rejects where a file is in the way', async () => {
      writeFileSync(join(folder, 'file'), '');
      await assert.rejects(make(join(folder, 'file', 'a')), /ENOTDIR|ENOENT|EEXIST/);
    });

    it('rejects where the system has no place for it, instead of trying for ever', async function () {
      if (!existsSync('/proc/self')) this.skip(); // only Linux has such a place at hand
      await assert.rejects(make('/proc/agent-logs/a'), { code: 'ENOENT' });
    });
  });
}
