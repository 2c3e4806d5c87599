import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readTapPatterns, tapPatternsFile, writeTapPatterns } from '../../../../src/live/config/tapPatterns';

import { column } from '../../../support/columns';
import { useFolder } from '../../../support/tempFolder';

describe('tap redaction patterns', () => {
  const folder = useFolder();

  it('are only readable by the user, can be read back, and are deleted if there are none', async () => {
    const path = tapPatternsFile(folder.in('state', 'taps'));
    assert.deepEqual(readTapPatterns(path), []);
    await writeTapPatterns(path, ['ACME-\\d+', 'Kunde-\\p{L}+']);
    assert.deepEqual(column(readTapPatterns(path), 'source'), ['ACME-\\d+', 'Kunde-\\p{L}+']);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    await writeTapPatterns(path, ['other']);
    assert.deepEqual(readdirSync(dirname(path)), ['redaction.json']);
    await writeTapPatterns(path, []);
    assert.ok(!existsSync(path));
  });

  it('can be written by two calls at once', async () => {
    const path = tapPatternsFile(folder.in('taps'));
    await Promise.all([writeTapPatterns(path, ['one']), writeTapPatterns(path, ['two'])]);
    assert.equal(readTapPatterns(path).length, 1);
    assert.deepEqual(readdirSync(folder.path), ['redaction.json']);
  });

  it('fail if the file has other content', () => {
    const path = folder.in('redaction.json');
    for (const text of ['', '{"patterns": ["[unclosed"]}']) {
      writeFileSync(path, text);
      assert.throws(() => readTapPatterns(path));
    }
  });
});
