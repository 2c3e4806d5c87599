import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { exportRun } from '../../../src/export/exportRun';
import { FileRun } from '../../../src/past/files/fileRun';
import { fileRunInfo } from '../../../src/past/files/fileRunInfo';

describe('an exported run', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has each record once, in order, also around lines that fill the memory for records', async () => {
    const path = join(folder, 'run.ndjson');
    const about = { journal: 1, agent: 'A', protocol: 'acp', command: [], cwd: '/' };
    const header = { ...about, startedAt: '2026-11-20T10:00:00Z' };
    const lines = Array.from({ length: 1500 }, (_, n) => {
      const line = n === 700 ? 'x'.repeat(6e6) : `line ${n}`;
      return { t: new Date(Date.UTC(2026, 10, 20) + n).toISOString(), ms: n, dir: 'err', line };
    });
    writeFileSync(path, [header, ...lines].map((one) => `${JSON.stringify(one)}\n`).join(''));
    const { size, mtimeMs } = statSync(path);
    const info = await fileRunInfo({ paths: [path], size, modifiedAt: mtimeMs }, 'opened', () => undefined);
    const run = new FileRun(info, { level: 'debug', maxMemory: 1e6, redaction: undefined });
    const out = join(folder, 'out.jsonl');
    const { token } = new CancellationTokenSource();
    await exportRun(run, { path: out, format: 'jsonl', redaction: undefined, token, onProgress: () => undefined });
    const numbers = readFileSync(out, 'utf8').match(/(?<="seq":)\d+/g) ?? [];
    assert.ok(numbers.length >= lines.length);
    const expected = Array.from(numbers.keys(), (n) => n + 1);
    assert.deepEqual(numbers.map(Number), expected);
  });
});
