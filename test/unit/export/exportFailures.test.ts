import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { ExportFormat } from '../../../src/export/exportFormat';
import { exportRun } from '../../../src/export/exportRun';
import type { FileRunInfo } from '../../../src/past/files/fileRunInfo';
import { FileRun } from '../../../src/past/files/fileRun';
import { HumanError } from '../../../src/text/humanError';
import { Cancelled } from '../../../src/time/waiting';
import { journalLine } from '../../../src/wire/journal/journalLine';

describe('failing exports', () => {
  let folder: string;
  let journal: string;
  let target: string;
  let progress: number[];
  let source: CancellationTokenSource;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    journal = join(folder, 'journal.ndjson');
    target = join(folder, 'exported.txt');
    progress = [];
    source = new CancellationTokenSource();
    const header = { journal: 1, agent: 'A', protocol: 'acp', command: ['a'], cwd: '/', startedAt: '', part: 1 };
    const line = `${journalLine({ t: 1000, dir: 'err', line: 'x'.repeat(1000) }, 0)}\n`;
    writeFileSync(journal, `${JSON.stringify(header)}\n${line.repeat(2000)}`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function runOf(path: string): FileRun {
    const about = { id: 'r', origin: 'opened', name: 'A', protocol: 'acp', startedAt: 0, modifiedAt: 0 } as const;
    const info: FileRunInfo = { ...about, command: ['a'], cwd: '/', paths: [path], size: 1, isRedacted: false };
    return new FileRun(info, { level: 'info', maxMemory: 1e6, redaction: undefined });
  }

  function exported(format: ExportFormat, path = target, onProgress = (): void => undefined): Promise<void> {
    return exportRun(runOf(journal), {
      path,
      format,
      redaction: undefined,
      token: source.token,
      onProgress: (fraction) => {
        progress.push(fraction);
        onProgress();
      },
    });
  }

  it("read nothing if the target can't be written", async () => {
    mkdirSync(target);
    for (const path of [target, join(folder, 'missing', 'x')]) {
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
    await assert.rejects(
      exported('text', target, () => source.cancel()),
      Cancelled,
    );
    assert.ok((progress.at(-1) ?? 1) < 1);
    assert.equal(existsSync(target), false);
  });

  it('stop reading when the disk is full, and name a file that stays incomplete', async function () {
    if (!existsSync('/dev/full')) this.skip();
    symlinkSync('/dev/full', target);
    for (const format of ['text', 'journal'] as const) {
      await assert.rejects(
        exported(format),
        (error) => error instanceof HumanError && /exported\.txt is incomplete: .*ENOSPC/.test(error.message),
      );
    }
    assert.ok((progress.at(-1) ?? 0) < 1);
  });
});
