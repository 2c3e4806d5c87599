import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { findRipgrep, ripgrepScan } from '../../../src/search/ripgrep';
import type { TextMatch, TextScan } from '../../../src/search/textScan';
import { nodeScan } from '../../../src/search/textScan';
import { useFolder } from '../../support/tempFolder';

describe('text scans', () => {
  const folder = useFolder();

  async function scan(with_: TextScan, needles: readonly string[], ...paths: string[]): Promise<TextMatch[]> {
    const found: TextMatch[] = [];
    await with_(paths, needles, { signal: new AbortController().signal, onMatch: (match) => found.push(match) });
    return found;
  }

  it('find the lines that contain a word, in any case', async () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom('a', 'B', 'x', ' '), maxLength: 12 }), { maxLength: 30 });
    const needle = fc.string({ unit: fc.constantFrom('a', 'b', 'X'), minLength: 1, maxLength: 3 });
    const path = folder.in('lines');
    await fc.assert(
      fc.asyncProperty(text, needle, async (lines, word) => {
        writeFileSync(path, lines.join('\n'));
        const found = await scan(nodeScan, [word.toLowerCase()], path);
        const has = (line: string): boolean => line.toLowerCase().includes(word.toLowerCase());
        const wanted = lines.flatMap((line, index) => (has(line) ? [index + 1] : []));
        assert.deepEqual([...new Set(found.map(({ line }) => line))], wanted.slice(0, 100));
      }),
      { numRuns: 100 },
    );
  });

  it('find a word split across two chunks, and its position', async () => {
    const path = folder.in('large');
    const before = `first\n${'x'.repeat(1024 * 1024 - 9)}`;
    writeFileSync(path, `${before}needle\nlast needle`);
    assert.deepEqual(await scan(nodeScan, ['needle'], path), [
      { path, line: 2, offset: before.length },
      { path, line: 3, offset: before.length + 12 },
    ]);
  });

  it('take no longer if a line is long and full of matches', async () => {
    const path = folder.in('long');
    writeFileSync(path, 'a'.repeat(3_000_000));
    assert.deepEqual(await scan(nodeScan, ['a'], path), [{ path, line: 1, offset: 0 }]);
  });

  it('skip unreadable files', async () => {
    const path = folder.in('there');
    writeFileSync(path, 'needle');
    const found = await scan(nodeScan, ['needle'], folder.in('missing'), folder.path, path);
    assert.deepEqual(found, [{ path, line: 1, offset: 0 }]);
  });

  it('find ripgrep in each version of VS Code', async () => {
    assert.equal(await findRipgrep(folder.path), undefined);
    const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
    const packed = folder.in('node_modules.asar.unpacked/@vscode/ripgrep/bin');
    const universal = folder.in('node_modules/@vscode/ripgrep-universal/bin');
    for (const place of [packed, join(universal, `${process.platform}-${process.arch}`)]) {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, name), '');
      assert.equal(await findRipgrep(folder.path), join(place, name));
    }
  });

  it('parse the output of ripgrep', async function () {
    if (process.platform === 'win32') this.skip();
    const program = folder.in('rg');
    writeFileSync(program, `#!/bin/sh\nprintf '/a b\\0007:120:needle\\n/c:d\\0001:0:need:le\\nnot a match\\n'\n`);
    chmodSync(program, 0o755);
    assert.deepEqual(await scan(ripgrepScan(program), ['needle'], '/a b', '/c:d'), [
      { path: '/a b', line: 7, offset: 120 },
      { path: '/c:d', line: 1, offset: 0 },
    ]);
    await assert.rejects(scan(ripgrepScan(folder.in('missing')), ['needle'], '/a'), /ENOENT/);
  });
});
