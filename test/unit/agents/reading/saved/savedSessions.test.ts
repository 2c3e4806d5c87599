import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { describeSaved, readSaved } from '../../../../support/savedRun';
import { assertGolden } from '../../../../support/golden';

const folder = 'test/fixtures/saved';

describe('saved sessions', () => {
  for (const name of readdirSync(folder).filter((file) => /\.jsonl?$/.test(file))) {
    it(`reads ${name}, and shows no raw JSON above debug`, () => {
      const log = readSaved(join(folder, name));
      assertGolden(`test/golden/saved/${name.replace(/\.jsonl?$/, '')}.txt`, describeSaved(log));
      const shown = log.store.query({ minLevel: 'info' });
      assert.ok(!shown.some(({ message }) => /^\s*[{[]"/.test(message)));
    });
  }
});
