import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { ExportFormat } from '../../../src/export/exportFormat';
import { exportRun } from '../../../src/export/exportRun';
import type { FileRunInfo } from '../../../src/past/files/fileRunInfo';
import { FileRun } from '../../../src/past/files/fileRun';
import { HumanError } from '../../../src/text/humanError';
import { Cancelled } from '../../../src/time/waiting';
import { entry, header } from '../../support/journalText';
import { useFolder } from '../../support/tempFolder';

describe('failing exports', () => {
  const folder = useFolder();
  let journal: string;
  let target: string;
  let progress: number[];
  let source: CancellationTokenSource;
  beforeEach(() => {
    [journal, target] = [folder.in('journal.ndjson'), folder.in('exported.txt')];
    progress = [];
    source = new CancellationTokenSource();
    writeFileSync(journal, header() + entry(1000, 'err', { line: 'x'.repeat(1000) }).repeat(2000));
  });

  function runOf(path: string): FileRun {
    const about = { id: 'r', origin: 'opened', name: 'A', protocol: 'acp', startedAt: 0, modifiedAt: 0 } as const;
    const info: FileRunInfo = { ...about, command: ['a'], cwd: '/', paths: [path], size: 1, isRedacted: false };
    return new FileRun(info, { level: 'info', maxMemory: 1e6, redaction: undefined });
  }

  function exported(format: ExportFormat, path = target, onProgress = (): void => undefined): Promise<void> {
    const report = (fraction: number): void => {
      progress.push(fraction);
      onProgress();
    };
    const options = { path, format, redaction: undefined, token: source.token, onProgress: report };
    return exportRun(runOf(journal), options);
  }

  it("read nothing if the target can't be written", async () => {
    mkdirSync(target);
    for (const path of [target, folder.in('missing', 'x')]) {
      for (const format of ['text', 'journal'] as const) await assert.rejects(exported(format, path), /EISDIR|ENOENT/);
    }
    assert.deepEqual(progress, []);
  });

  it("keep an existing file if the journal can't be opened", async function () {
    if (process.platform === 'win32') this.skip();
    rmSync(journal);
    const socket = createServer().listen(journal);
    await new Promise((resolve) => socket.once('listening', resolve));
    writeFileSync(target, 'an older export');
    try {
      for (const format of ['text', 'journal'] as const) await assert.rejects(exported(format), /ENXIO|ENOTSUP/);
      assert.equal(readFileSync(target, 'utf8'), 'an older export');
    } finally {
      await new Promise((resolve) => socket.close(resolve));
    }
  });

  it('leave no partial file when cancelled', async () => {
    const cancelled = exported('text', target, () => source.cancel());
    await assert.rejects(cancelled, Cancelled);
    assert.ok((progress.at(-1) ?? 1) < 1);
    assert.equal(existsSync(target), false);
  });

  it('stop reading when the disk is full, and name a file that stays incomplete', async function () {
    if (!existsSync('/dev/full')) this.skip();
    symlinkSync('/dev/full', target);
    const incomplete = { constructor: HumanError, message: /exported\.txt is incomplete: .*ENOSPC/ };
    for (const format of ['text', 'journal'] as const) await assert.rejects(exported(format), incomplete);
    assert.ok((progress.at(-1) ?? 0) < 1);
  });
});
