import { build } from 'esbuild';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sharedPage } from '../../scripts/explorerPage.mjs';
import { FileRun } from '../../src/past/files/fileRun';
import { collectRun } from '../../src/share/collectRun';
import { readSharedPage } from '../../src/share/sharedPage';
import type { SharedRecord, SharedRun } from '../../src/share/sharedRun';
import { writeShared } from '../../src/share/writeShared';
import { runOf } from '../../src/cli/runArgument';
import { redactionWith } from '../support/redaction';
import { runPlaces } from '../support/runPlaces';

/** Writes shared runs to files, with the page as it is packaged. */
export class SharedFiles {
  private readonly folder = mkdtempSync(join(tmpdir(), 'agent-logs-shared-'));
  private number = 0;

  async build(): Promise<void> {
    await build(sharedPage(true, this.folder));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Returns the address of a file with a recording. */
  async recording(path: string): Promise<string> {
    const run = new FileRun(await runOf(path, runPlaces()), {
      level: 'debug',
      maxMemory: 1e8,
      redaction: redactionWith(),
      follows: false,
    });
    await run.read();
    const shared = await collectRun(run, { part: { type: 'run' }, now: Date.now() });
    await run.dispose();
    return this.written(shared);
  }

  /** Returns the address of a file with records. */
  records(records: readonly SharedRecord[], others: Partial<SharedRun> = {}): Promise<string> {
    const about = { name: 'Run', protocol: 'acp' as const, startedAt: 0, sharedAt: 0 };
    return this.written({ ...about, sessions: [], messages: [], spans: [], cut: [], records, ...others });
  }

  private async written(run: SharedRun): Promise<string> {
    const pieces: string[] = [];
    for await (const piece of writeShared(run, readSharedPage(this.folder, 'en'))) pieces.push(piece);
    const path = join(this.folder, `${++this.number}.html`);
    writeFileSync(path, pieces.join(''));
    return pathToFileURL(path).href;
  }
}
