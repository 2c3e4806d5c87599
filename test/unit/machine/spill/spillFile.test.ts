import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { SpillFolder, SpillFile } from '../../../../src/machine/spill/spillFolder';
import { isWindows } from '../../../support/platform';
import { useFolder } from '../../../support/tempFolder';

describe('the file for records that memory has no room for', () => {
  const folder = useFolder();
  let problems: unknown[];
  let path: string;
  beforeEach(() => {
    problems = [];
    path = folder.in('a.pages');
  });

  const fileAt = (maxBytes = 1e6): SpillFile =>
    new SpillFile({ path, maxBytes, onProblem: (error) => problems.push(error) });

  it('gives back what was written, and is private', async () => {
    path = folder.in('sub', 'a.pages');
    const file = fileAt();
    assert.ok(!existsSync(path), 'made at the first page');
    const places = await Promise.all([1, 2, 3].map((n) => file.write([Buffer.alloc(5000, n), Buffer.from('end')])));
    for (const [n, place] of places.entries()) {
      const expected = Buffer.concat([Buffer.alloc(5000, n + 1), Buffer.from('end')]);
      assert.deepEqual(await file.read(place!, 5003), expected);
      assert.deepEqual(file.readNow(place!, 100), expected.subarray(0, 100));
    }
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    file.dispose();
    while (isWindows && existsSync(path)) await new Promise(setImmediate); // deleted once it is closed
    assert.ok(!existsSync(path));
    assert.equal(await file.write([Buffer.alloc(1)]), undefined);
    assert.equal(file.readNow(places[0]!, 1), undefined);
    assert.deepEqual(problems, []);
  });

  it('stays within its size, and uses again what was freed', async () => {
    const file = fileAt(20_000);
    const write = (): ReturnType<SpillFile['write']> => file.write([Buffer.alloc(8000)]);
    const first = await write();
    assert.ok(await write());
    assert.equal(await write(), undefined);
    file.free(first!);
    assert.equal((await write())?.offset, first!.offset);
    assert.ok(statSync(path).size <= 20_000);
    file.dispose();
  });

  it('merges neighbors that were freed, whatever their order, for a larger page', async () => {
    const file = fileAt(100_000);
    const places = [];
    for (let n = 0; n < 5; n++) places.push(await file.write([Buffer.alloc(4000)]));
    for (const n of [1, 3, 2]) file.free(places[n]!);
    assert.equal((await file.write([Buffer.alloc(12_000)]))?.offset, places[1]!.offset);
    file.dispose();
  });

  it('takes nothing more after a failure, and reports the first', async () => {
    writeFileSync(folder.in('file'), '');
    path = folder.in('file', 'a.pages');
    const file = fileAt();
    assert.equal(await file.write([Buffer.alloc(1)]), undefined);
    assert.equal(await file.write([Buffer.alloc(1)]), undefined);
    assert.equal(problems.length, 1);
    file.dispose();
  });

  it('reports a file that was cut', async () => {
    const file = fileAt();
    const place = await file.write([Buffer.alloc(5000)]);
    truncateSync(path, 100);
    assert.equal(await file.read(place!, 5000), undefined);
    assert.equal(file.readNow(place!, 5000), undefined);
    assert.equal(problems.length, 1);
    file.dispose();
  });

  it('is deleted with its folder, and what crashed windows left is swept', async () => {
    const stale = [`${process.pid} 0badcafe 1-2.pages`, `999999999 0badcafe 1-2.pages`];
    const others = [`${process.ppid} 0badcafe 1-2.pages`, 'notes.txt'];
    for (const name of [...stale, ...others]) writeFileSync(folder.in(name), '');
    const spills = new SpillFolder(folder.path, { error: (error) => problems.push(error) });
    const names = (): string[] => readdirSync(folder.path).sort();
    await spills.sweepOnce();
    assert.deepEqual(names(), [...others].sort());
    const file = spills.create();
    await file.write([Buffer.alloc(10)]);
    assert.equal(names().length, 3);
    spills.dispose();
    while (isWindows && names().length === 3) await new Promise(setImmediate);
    assert.deepEqual(names(), [...others].sort());
    assert.deepEqual(problems, []);
  });
});
