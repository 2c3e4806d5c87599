import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRuns } from '../../../src/past/files/fileRuns';
import { recordOfHit } from '../../../src/search/recordOfHit';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { journalLine } from '../../../src/wire/journal/journalLine';
import { redactionWith } from '../../support/redaction';

describe('the record of a hit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-logs-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is that of its line, although the line on disk has a secret', async () => {
    const nowhere = new JournalFolder('/nowhere');
    const options = { level: 'info', maxMemory: 1e7, redaction: redactionWith() } as const;
    const fileRuns = new FileRuns(nowhere, nowhere, () => options);
    const at = Date.UTC(2026, 10, 22, 10);
    const path = join(folder, 'run.ndjson');
    const header = { journal: 1, agent: 'A', protocol: 'acp', command: [], cwd: '/', startedAt: '', part: 1 };
    const message = (words: string): string =>
      JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level: 'info', message: words } });
    const texts = ['deploy: started', `deploy: token ghp_${'a1B2c3D4e5F6'.repeat(3)}`, 'deploy: done'];
    const lines = texts.map((text) => journalLine({ t: at, dir: 'a2c', line: message(text), msg: {} }, at));
    writeFileSync(path, [JSON.stringify(header), ...lines, ''].join('\n'));
    const run = await fileRuns.show(await fileRuns.at(path, 'past'));
    await run.read();
    const offset = readFileSync(path).indexOf('deploy: token');
    const hit = { context: '', at, place: { type: 'line', path, offset } } as const;
    const seq = await recordOfHit(run, hit, ['deploy']);
    assert.match(run.log.store.get(seq ?? 0)?.message ?? '', /^deploy: token ghp_.*\[redacted\]$/);
    await fileRuns.dispose();
  });
});
