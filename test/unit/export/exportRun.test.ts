import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { exportRun } from '../../../src/export/exportRun';
import { FileRun } from '../../../src/past/files/fileRun';
import { fileRunInfo } from '../../../src/past/files/fileRunInfo';
import { entry, header } from '../../support/journalText';
import { useFolder } from '../../support/tempFolder';

describe('an exported run', () => {
  const folder = useFolder();

  it('has each record once, in order, also around lines that fill the memory for records', async () => {
    const path = folder.in('run.ndjson');
    const lines = Array.from({ length: 1500 }, (_, n) => (n === 700 ? 'x'.repeat(6e6) : `line ${n}`));
    writeFileSync(path, header() + lines.map((line, n) => entry(n, 'err', { line })).join(''));
    const { size, mtimeMs } = statSync(path);
    const info = await fileRunInfo({ paths: [path], size, modifiedAt: mtimeMs }, 'opened', () => undefined);
    const run = new FileRun(info, { level: 'debug', maxMemory: 1e6, redaction: undefined });
    const out = folder.in('out.jsonl');
    const { token } = new CancellationTokenSource();
    await exportRun(run, { path: out, format: 'jsonl', redaction: undefined, token, onProgress: () => undefined });
    const numbers = readFileSync(out, 'utf8').match(/(?<="seq":)\d+/g) ?? [];
    assert.ok(numbers.length >= lines.length);
    const expected = Array.from(numbers.keys(), (n) => n + 1);
    assert.deepEqual(numbers.map(Number), expected);
  });
});
