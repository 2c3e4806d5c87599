import * as assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { makeFolder, makeFolderNow } from '../../../src/machine/makeFolder';
import { useFolder } from '../../support/tempFolder';

const ways: Readonly<Record<string, (path: string) => Promise<void>>> = {
  makeFolder,
  makeFolderNow: (path) => Promise.resolve(path).then(makeFolderNow),
};

for (const [name, make] of Object.entries(ways)) {
  describe(name, () => {
    const folder = useFolder();

    it('makes a folder with those that it is in, for the person alone, and leaves one that is there', async () => {
      const path = folder.in('a', 'b');
      await make(path);
      await make(path);
      for (const made of [path, folder.in('a')]) {
        assert.ok(statSync(made).isDirectory());
        if (process.platform !== 'win32') assert.equal(statSync(made).mode & 0o777, 0o700);
      }
    });

    it('rejects where a file is in the way', async () => {
      writeFileSync(folder.in('file'), '');
      await assert.rejects(make(folder.in('file', 'a')), /ENOTDIR|ENOENT|EEXIST/);
    });

    it('rejects where the system has no place for it, instead of trying for ever', async function () {
      if (!existsSync('/proc/self')) this.skip(); // only Linux has such a place at hand
      await assert.rejects(make('/proc/agent-logs/a'), { code: 'ENOENT' });
    });
  });
}
