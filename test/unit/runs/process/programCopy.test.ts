import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProgramCopy } from '../../../../src/runs/process/programCopy';

describe('the program copy', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'agent-logs-test-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The program of one extension version, whose folder is deleted with the next. */
  function version(name: string): string {
    const path = join(folder, `${name}.js`);
    writeFileSync(path, name);
    utimesSync(path, 1_700_000_000, 1_700_000_000 + name.length);
    return path;
  }

  it('is made on request, and updated from then on', async () => {
    const path = join(folder, 'state', 'copy.cjs');
    await new ProgramCopy(version('one'), path).renew();
    assert.ok(!existsSync(path), 'nobody asked for it');
    assert.equal(await new ProgramCopy(version('one'), path).make(), path);
    assert.equal(readFileSync(path, 'utf8'), 'one');
    await new ProgramCopy(version('three'), path).renew();
    assert.equal(readFileSync(path, 'utf8'), 'three');
  });

  it("isn't replaced by a window with an older version", async () => {
    const path = join(folder, 'copy.cjs');
    await new ProgramCopy(version('three'), path).make();
    await new ProgramCopy(version('one'), path).renew();
    assert.equal(readFileSync(path, 'utf8'), 'three');
  });

  it("isn't rewritten if unchanged", async () => {
    const path = join(folder, 'copy.cjs');
    const copy = new ProgramCopy(version('one'), path);
    await copy.make();
    writeFileSync(path, 'own');
    utimesSync(path, 1_700_000_000, 1_700_000_003);
    await copy.renew();
    assert.equal(readFileSync(path, 'utf8'), 'own');
  });

  it("rejects if it can't be made, and leaves nothing behind", async () => {
    const missing = new ProgramCopy(join(folder, 'missing.js'), join(folder, 'copy.cjs'));
    await assert.rejects(missing.make(), { code: 'ENOENT' });
    assert.ok(!existsSync(join(folder, 'copy.cjs')));
  });
});
