import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramFiles } from '../../../../src/live/process/programCopy';
import { ProgramCopy } from '../../../../src/live/process/programCopy';
import { useFolder } from '../../../support/tempFolder';

const main = `#!/usr/bin/env node
const { basename } = require('node:path');
console.log(require('./part.js').name(), require('./part.js') === require('./part.js'), basename(__filename)); // ä`;

describe('the program copy', () => {
  const folder = useFolder();
  const copyOf = (name: string): ProgramCopy => new ProgramCopy(version(name), folder.in('copy.cjs'));

  /** The program of one extension version, whose folder is deleted with the next. Longer names are newer. */
  function version(name: string): ProgramFiles {
    const source = folder.in(name);
    mkdirSync(source, { recursive: true });
    const part = `const shown = '${name} ä'; module.exports = { name: () => shown }; // no line break at the end`;
    for (const [file, text, age] of [['main.js', main, 1] as const, ['part.js', part, 0] as const]) {
      const at = 1_700_000_000 + name.length - age;
      writeFileSync(join(source, file), text);
      utimesSync(join(source, file), at, at);
    }
    return { folder: source, main: 'main.js', parts: ['part.js'] };
  }

  const printed = (path: string): string => execFileSync(process.execPath, [path], { encoding: 'utf8' });

  it('is made on request, and updated from then on', async () => {
    const path = folder.in('state', 'copy.cjs');
    await new ProgramCopy(version('one'), path).renew();
    assert.ok(!existsSync(path), 'nobody asked for it');
    assert.equal(await new ProgramCopy(version('one'), path).make(), path);
    assert.equal(printed(path), 'one ä true copy.cjs\n');
    await new ProgramCopy(version('three'), path).renew();
    assert.equal(printed(path), 'three ä true copy.cjs\n');
  });

  it('is one file that does the same as the files of the program', async () => {
    const { folder: source, ...files } = version('one');
    const path = await new ProgramCopy({ folder: source, ...files }, folder.in('copy.cjs')).make();
    assert.equal(printed(join(source, 'main.js')), 'one ä true main.js\n');
    assert.match(readFileSync(path, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    rmSync(source, { recursive: true });
    assert.equal(printed(path), 'one ä true copy.cjs\n');
  });

  it("isn't replaced by a window with an older version", async () => {
    const path = await copyOf('three').make();
    await copyOf('one').renew();
    assert.equal(printed(path), 'three ä true copy.cjs\n');
  });

  for (const isSameSize of [true, false]) {
    it(`is rewritten only if it has another size: ${isSameSize ? 'no' : 'yes'}`, async () => {
      const copy = copyOf('one');
      const path = await copy.make();
      const { mtime, size } = statSync(path);
      const other = 'x'.repeat(isSameSize ? size : 3);
      writeFileSync(path, other);
      utimesSync(path, mtime, mtime);
      await copy.renew();
      if (isSameSize) assert.equal(readFileSync(path, 'utf8'), other);
      else assert.equal(printed(path), 'one ä true copy.cjs\n');
    });
  }

  it("rejects if it can't be made, and leaves nothing behind", async () => {
    const files = { folder: folder.path, main: 'missing.js', parts: [] };
    await assert.rejects(new ProgramCopy(files, folder.in('copy.cjs')).make(), { code: 'ENOENT' });
    assert.ok(!existsSync(folder.in('copy.cjs')));
  });
});
