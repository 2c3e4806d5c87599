import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, isWriting } from '../../../src/wire/processAlive';

/** Linux gives no id as high as this. */
const nobody = 2 ** 22 + 1;
const longAgo = Date.parse('2020-01-01T00:00:00.000Z');

describe('who writes a journal', () => {
  let folder: string;
  let path: string;
  let file: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    path = join(folder, 'journal.ndjson');
    file = openSync(path, 'a');
  });
  afterEach(() => {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is there as long as its process is', () => {
    assert.ok(isWriting(process.pid, Date.now(), join(folder, 'none')));
    assert.ok(isWriting(process.pid, NaN, join(folder, 'none')));
    assert.ok(!isWriting(nobody, Date.now(), path));
    assert.ok(isAlive(process.pid) && !isAlive(nobody));
  });

  it('is no process that began later, unless it has the journal open', function () {
    if (process.platform !== 'linux') this.skip();
    const { title } = process;
    for (const name of [title, 'a) R 1 2 (b']) {
      process.title = name;
      assert.ok(!isWriting(process.pid, longAgo, join(folder, 'none')));
      assert.ok(!isWriting(1, longAgo, path));
      assert.ok(isWriting(1, Date.now(), path));
      assert.ok(isWriting(process.pid, longAgo, path));
    }
    process.title = title;
  });
});
