import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../../../src/machine/wholeFile';

describe('a file that is written as a whole', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the temporary files of killed processes with it, but no other', async () => {
    const id = '0f2c5a1e-7b3d-4c6e-8f90-123456789abc';
    const others = ['a.json.backup', `b.json.${id}`, `a.json.${id}.old`, `a.json-${id}`];
    const fresh = `a.json.${id.replace('0f', '1f')}`;
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const name of [...others, fresh, `a.json.${id}`]) writeFileSync(join(folder, name), 'x');
    for (const name of [...others, `a.json.${id}`]) utimesSync(join(folder, name), old, old);
    await replaceFile(join(folder, 'a.json'), (temporary) => writeFile(temporary, 'new'));
    assert.deepEqual(readdirSync(folder).sort(), [...others, fresh, 'a.json'].sort());
    assert.equal(readFileSync(join(folder, 'a.json'), 'utf8'), 'new');
  });
});
