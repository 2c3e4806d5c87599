import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Redactor } from '../../../src/redact/redactor';
import { journalWriter } from '../../../src/cli/tap/journal/journalPlace';
import type { JournalPlace } from '../../../src/cli/tap/journal/threadMessage';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { useFolder } from '../../support/tempFolder';

describe('tap: where its journal goes', () => {
  const folder = useFolder();
  const failed = (message: unknown): never => assert.fail(JSON.stringify(message));

  /** Writes a run with this many files, if three may be kept. */
  async function run(place: JournalPlace, files: number): Promise<readonly string[]> {
    const startedAt = Date.now();
    const spec = { agent: 'A', command: ['a'], cwd: '/', pid: process.pid, startedAt, place };
    const limits = { maxFileSize: 600, retention: { maxTotalSize: 3000, maxAge: 1e9 } };
    const writer = await journalWriter(spec, 'acp', new Redactor(), failed, limits);
    for (let n = 0; n < files; n++) {
      writer.write({ t: Date.now(), dir: 'err', line: 'x'.repeat(700) });
      await writer.flush();
      await new Promise((resolve) => setTimeout(resolve, 30)); // older ones are deleted meanwhile
    }
    await writer.close();
    assert.equal(writer.paths.length, files);
    return writer.paths;
  }

  it('is bounded, though one run is more than may be kept: the newest of it is', async () => {
    const paths = await run({ type: 'folder', path: folder.path, runId: 'abcdef12' }, 8);
    const files = async () => (await new JournalFolder(folder.path).list()).flatMap((set) => set.paths);
    let left = await files();
    while (left.length > 4) left = await files(); // deleted in the background
    assert.deepEqual(left, paths.slice(-left.length));
    assert.ok(left.length >= 2, String(left.length));
  });

  it('is all kept where a person named its file, and nothing beside it is deleted', async () => {
    const other = new JournalFolder(folder.path).fileOf('B', 'abcdef12', 0)(1);
    writeFileSync(other, 'x'.repeat(5000));
    await run({ type: 'file', path: folder.in('j.ndjson') }, 5);
    assert.equal(readdirSync(folder.path).length, 6);
  });

  it('has no secret in its name and its header', async () => {
    const token = 'ghp_Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU5oXi';
    const place: JournalPlace = { type: 'folder', path: folder.path, runId: 'abcdef12' };
    const spec = { agent: `mine ${token}`, command: ['a'], cwd: `/w/${token}`, pid: process.pid, startedAt: 0, place };
    const writer = await journalWriter(spec, 'acp', new Redactor(), failed);
    writer.write({ t: 0, dir: 'ev', ev: 'stdin-close' });
    await writer.close();
    const [path = ''] = writer.paths;
    assert.ok(!path.includes(token), path);
    const { agent, cwd } = JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '') as Record<string, string>;
    assert.match(`${agent} ${cwd}`, /^mine \S*redacted\S* \/w\/\S*redacted\S*$/);
  });
});
