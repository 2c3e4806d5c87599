import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { lineAt } from '../../../../src/search/hitText';
import type { TextMatch } from '../../../../src/search/textScan';
import { nodeScan } from '../../../../src/search/textScan';
import { compressedLines, decompressedHead } from '../../../../src/past/saved/compressed';

const { zstdCompressSync: compress } = zlib as { readonly zstdCompressSync?: (bytes: Buffer) => Buffer };

describe('compressed sessions', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'zst-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('can be missing', async () => {
    await assert.rejects(compressedLines(join(folder, 'missing.jsonl.zst'), 1000), /ENOENT/);
  });

  if (!compress) {
    it('say which Node.js they need', async () => {
      const path = join(folder, 'a.jsonl.zst');
      writeFileSync(path, '');
      await assert.rejects(compressedLines(path, 1000), /needs Node\.js 22\.15 or later/);
      assert.equal((await decompressedHead(Buffer.from('x'), 100)).length, 0);
    });
    return;
  }

  it('are read line by line', async () => {
    const path = join(folder, 'a.jsonl.zst');
    const lines = Array.from({ length: 5000 }, (_, n) => `{"n":${n}}`);
    writeFileSync(path, compress(Buffer.from(lines.join('\n'))));
    const source = await compressedLines(path, 1000);
    const read: string[] = [];
    for (let some = await source.read(); some; some = await source.read()) read.push(...some.map(({ text }) => text));
    read.push((await source.close())?.text ?? '');
    assert.deepEqual(read, lines);
  });

  it('are searched, and a match has its line', async () => {
    const path = join(folder, 'a.jsonl.zst');
    const lines = Array.from({ length: 50_000 }, (_, n) => JSON.stringify({ n, text: n === 40_000 ? 'A Needle' : '' }));
    writeFileSync(path, compress(Buffer.from(lines.join('\n'))));
    const found: TextMatch[] = [];
    const { signal } = new AbortController();
    await nodeScan([path], ['needle'], { signal, onMatch: (match) => found.push(match) });
    assert.deepEqual(
      found.map(({ line }) => line),
      [40_001],
    );
    assert.deepEqual(await lineAt(path, found[0]!.offset), { text: lines[40_000], isWhole: true });
  });

  it('show only the beginning if only that is read', async () => {
    const bytes = compress(Buffer.from(`first line\n${Math.random().toString(36).repeat(100_000)}`));
    const head = await decompressedHead(bytes.subarray(0, bytes.length - 10), 1000);
    assert.match(head.toString(), /^first line\n/);
  });

  it('say if they are damaged', async () => {
    const path = join(folder, 'a.jsonl.zst');
    writeFileSync(path, 'not compressed');
    const source = await compressedLines(path, 1000);
    await assert.rejects(source.read());
    await source.close();
  });
});
