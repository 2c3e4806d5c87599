import assert from 'node:assert/strict';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { replaceFile } from '../../../src/machine/wholeFile';
import { useFolder } from '../../support/tempFolder';

describe('a file that is written as a whole', () => {
  const folder = useFolder();

  it('takes the temporary files of killed processes with it, but no other', async () => {
    const id = '0f2c5a1e-7b3d-4c6e-8f90-123456789abc';
    const others = ['a.json.backup', `b.json.${id}`, `a.json.${id}.old`, `a.json-${id}`];
    const fresh = `a.json.${id.replace('0f', '1f')}`;
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const name of [...others, fresh, `a.json.${id}`]) writeFileSync(folder.in(name), 'x');
    for (const name of [...others, `a.json.${id}`]) utimesSync(folder.in(name), old, old);
    await replaceFile(folder.in('a.json'), (temporary) => writeFile(temporary, 'new'));
    assert.deepEqual(readdirSync(folder.path).sort(), [...others, fresh, 'a.json'].sort());
    assert.equal(readFileSync(folder.in('a.json'), 'utf8'), 'new');
  });
});
