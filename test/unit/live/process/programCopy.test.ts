import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramFiles } from '../../../../src/live/process/programCopy';
import { ProgramCopy } from '../../../../src/live/process/programCopy';

const main = `#!/usr/bin/env node
const { basename } = require('node:path');
console.log(require('./part.js').name(), require('./part.js') === require('./part.js'), basename(__filename)); // ä`;

describe('the program copy', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'agent-logs-test-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The program of one extension version, whose folder is deleted with the next. Longer names are newer. */
  function version(name: string): ProgramFiles {
    const source = join(folder, name);
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
    const path = join(folder, 'state', 'copy.cjs');
    await new ProgramCopy(version('one'), path).renew();
    assert.ok(!existsSync(path), 'nobody asked for it');
    assert.equal(await new ProgramCopy(version('one'), path).make(), path);
    assert.equal(printed(path), 'one ä true copy.cjs\n');
    await new ProgramCopy(version('three'), path).renew();
    assert.equal(printed(path), 'three ä true copy.cjs\n');
  });

  it('is one file that does the same as the files of the program', async () => {
    const { folder: source, ...files } = version('one');
    const path = await new ProgramCopy({ folder: source, ...files }, join(folder, 'copy.cjs')).make();
    assert.equal(printed(join(source, 'main.js')), 'one ä true main.js\n');
    assert.match(readFileSync(path, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    rmSync(source, { recursive: true });
    assert.equal(printed(path), 'one ä true copy.cjs\n');
  });

  it("isn't replaced by a window with an older version", async () => {
    const path = join(folder, 'copy.cjs');
    await new ProgramCopy(version('three'), path).make();
    await new ProgramCopy(version('one'), path).renew();
    assert.equal(printed(path), 'three ä true copy.cjs\n');
  });

  it("isn't rewritten if unchanged", async () => {
    const path = join(folder, 'copy.cjs');
    const copy = new ProgramCopy(version('one'), path);
    await copy.make();
    const { mtime, size } = statSync(path);
    writeFileSync(path, 'x'.repeat(size));
    utimesSync(path, mtime, mtime);
    await copy.renew();
    assert.equal(readFileSync(path, 'utf8'), 'x'.repeat(size));
  });

  it('is rewritten if it has another size', async () => {
    const path = join(folder, 'copy.cjs');
    const copy = new ProgramCopy(version('one'), path);
    await copy.make();
    const { mtime } = statSync(path);
    writeFileSync(path, 'own');
    utimesSync(path, mtime, mtime);
    await copy.renew();
    assert.equal(printed(path), 'one ä true copy.cjs\n');
  });

  it("rejects if it can't be made, and leaves nothing behind", async () => {
    const files = { folder, main: 'missing.js', parts: [] };
    await assert.rejects(new ProgramCopy(files, join(folder, 'copy.cjs')).make(), { code: 'ENOENT' });
    assert.ok(!existsSync(join(folder, 'copy.cjs')));
  });
});
