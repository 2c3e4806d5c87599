import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { lineAt } from '../../../../src/search/hitText';
import type { TextMatch } from '../../../../src/search/textScan';
import { nodeScan } from '../../../../src/search/textScan';
import { compressedLines, decompressedHead } from '../../../../src/past/saved/compressed';
import { column } from '../../../support/columns';
import { useFolder } from '../../../support/tempFolder';

const { zstdCompressSync: compress } = zlib as { readonly zstdCompressSync?: (bytes: Buffer) => Buffer };

describe('compressed sessions', () => {
  const folder = useFolder();
  const write = (content: string | Buffer): string => {
    writeFileSync(folder.in('a.jsonl.zst'), content);
    return folder.in('a.jsonl.zst');
  };

  it('can be missing', async () => {
    await assert.rejects(compressedLines(folder.in('missing.jsonl.zst'), 1000), /ENOENT/);
  });

  if (!compress) {
    it('say which Node.js they need', async () => {
      await assert.rejects(compressedLines(write(''), 1000), /needs Node\.js 22\.15 or later/);
      assert.equal((await decompressedHead(Buffer.from('x'), 100)).length, 0);
    });
    return;
  }

  it('are read line by line', async () => {
    const lines = Array.from({ length: 5000 }, (_, n) => `{"n":${n}}`);
    const source = await compressedLines(write(compress(Buffer.from(lines.join('\n')))), 1000);
    const read: string[] = [];
    for (let some = await source.read(); some; some = await source.read()) read.push(...some.map(({ text }) => text));
    read.push((await source.close())?.text ?? '');
    assert.deepEqual(read, lines);
  });

  it('are searched, and a match has its line', async () => {
    const lines = Array.from({ length: 50_000 }, (_, n) => JSON.stringify({ n, text: n === 40_000 ? 'A Needle' : '' }));
    const path = write(compress(Buffer.from(lines.join('\n'))));
    const found: TextMatch[] = [];
    const { signal } = new AbortController();
    await nodeScan([path], ['needle'], { signal, onMatch: (match) => found.push(match) });
    assert.deepEqual(column(found, 'line'), [40_001]);
    assert.deepEqual(await lineAt(path, found[0]!.offset), { text: lines[40_000], isWhole: true });
  });

  it('show only the beginning if only that is read', async () => {
    const bytes = compress(Buffer.from(`first line\n${Math.random().toString(36).repeat(100_000)}`));
    const head = await decompressedHead(bytes.subarray(0, bytes.length - 10), 1000);
    assert.match(head.toString(), /^first line\n/);
  });

  it('say if they are damaged', async () => {
    const source = await compressedLines(write('not compressed'), 1000);
    await assert.rejects(source.read());
    await source.close();
  });
});
