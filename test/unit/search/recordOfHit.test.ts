import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { recordOfHit } from '../../../src/search/recordOfHit';
import { newFileRuns } from '../../support/fileRuns';
import { header, log } from '../../support/journalText';
import { redactionWith } from '../../support/redaction';
import { useFolder } from '../../support/tempFolder';

describe('the record of a hit', () => {
  const folder = useFolder();

  it('is that of its line, although the line on disk has a secret', async () => {
    const fileRuns = newFileRuns(undefined, { redaction: redactionWith() });
    const path = folder.in('run.ndjson');
    const texts = ['deploy: started', `deploy: token ghp_${'a1B2c3D4e5F6'.repeat(3)}`, 'deploy: done'];
    writeFileSync(path, [header(), ...texts.map((text) => log(text))].join(''));
    const run = await fileRuns.show(await fileRuns.at(path, 'past'));
    await run.read();
    const offset = readFileSync(path).indexOf('deploy: token');
    const hit = { context: '', at: Date.UTC(2026, 0, 1) + 1000, place: { type: 'line', path, offset } } as const;
    const seq = await recordOfHit(run, hit, ['deploy']);
    assert.match(run.log.store.get(seq ?? 0)?.message ?? '', /^deploy: token ghp_.*\[redacted\]$/);
    await fileRuns.dispose();
  });
});
