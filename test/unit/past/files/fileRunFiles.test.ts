import assert from 'node:assert/strict';
import { appendFileSync, existsSync, utimesSync, writeFileSync } from 'node:fs';
import { FileRuns } from '../../../../src/past/files/fileRuns';
import { JournalFolder } from '../../../../src/wire/journal/journalFolder';
import { JournalWriter } from '../../../../src/wire/journal/journalWriter';
import { newFileRuns } from '../../../support/fileRuns';
import { entry, linesText } from '../../../support/journalText';
import { useFolder } from '../../../support/tempFolder';

const about = { journal: 1, agent: 'A', protocol: 'mcp', command: ['a'], cwd: '/' } as const;
const header = { ...about, startedAt: '2026-11-20T12:00:00.000Z' };

describe('the files of a past run', () => {
  const home = useFolder();
  const folder = (): JournalFolder => new JournalFolder(home.path);
  const runs = (): FileRuns => newFileRuns(folder());
  /** Writes a journal that has only a header. */
  const begin = (fields: object): void =>
    writeFileSync(folder().fileOf('A', 'abcdef12', 0)(1), linesText({ ...header, ...fields }));

  it('include journal parts written since the last look', async () => {
    const writer = new JournalWriter({
      fileOf: folder().fileOf('A', 'abcdef12', 0),
      header,
      startedAt: 0,
      maxFileSize: 1,
      onProblem: (error) => assert.fail(error),
    });
    writer.write({ t: 0, dir: 'err', line: 'one' });
    await writer.flush();
    const past = runs();
    const [run] = await past.refresh();
    assert.ok(run);
    writer.write({ t: 0, dir: 'err', line: 'two' });
    await writer.close();
    assert.equal(writer.paths.length, 2);
    await run.journal.flush();
    assert.deepEqual(run.journal.paths, writer.paths);
    await past.delete(run);
    assert.ok(writer.paths.every((file) => !existsSync(file)));
  });

  it('are read with the current options, and forgotten when closed', async () => {
    begin({ redacted: true });
    let level: 'info' | 'debug' = 'info';
    const options = () => ({ level, maxMemory: 1e6, redaction: undefined });
    const past = new FileRuns(folder(), new JournalFolder('/nowhere'), options);
    const [before] = await past.refresh();
    assert.ok(before);
    level = 'debug';
    past.renew();
    const [run] = past.listed;
    assert.ok(run);
    assert.deepEqual([before.level, run.level, run.info.isRedacted], ['info', 'debug', true]);
    assert.equal(past.find(before.id), run);
    assert.equal(await past.show(run), run);
    past.renew();
    assert.equal(past.find(run.id), run, 'one that is read stays');
    assert.equal(past.timesClosed(run), 0);
    past.close(run);
    assert.equal(past.timesClosed(run), 1);
    await past.dispose();
  });

  it('belong to no other run, and include all parts of the opened one', async () => {
    const part = (name: string, fields: object, text: string): string => {
      const file = home.in(`${name}.ndjson`);
      writeFileSync(file, linesText({ ...header, ...fields }) + entry(0, 'err', { line: text }));
      return file;
    };
    const files = [1, 2, 3].map((n) => part(n === 1 ? 'j' : `j ${n}`, { part: n }, `part ${n}`));
    const filesAt = async (file: string): Promise<readonly string[]> => {
      const { journal } = await runs().at(file, 'opened');
      await journal.flush();
      return journal.paths;
    };
    assert.deepEqual(await filesAt(files[0] ?? ''), files);
    assert.deepEqual(await filesAt(files[1] ?? ''), files.slice(1));
    part('j 2', { part: 2, agent: 'B' }, 'of B');
    assert.deepEqual(await filesAt(files[0] ?? ''), files.slice(0, 1));
    const log = home.in('out.ndjson');
    for (const file of [log, home.in('out 2.ndjson')]) writeFileSync(file, '{"level":30,"msg":"hello"}\n');
    assert.deepEqual(await filesAt(log), [log]);
  });

  it('no longer belong to a process if its PID was reused', async () => {
    begin({ part: 1, tap: { pid: process.pid } });
    const [run] = await runs().refresh();
    assert.equal(run?.info.writer, process.platform === 'linux' ? undefined : process.pid);
  });

  it('are recognized by their header, however long its command line is', async () => {
    begin({ command: ['a', 'x'.repeat(100_000)], part: 1 });
    const [run] = await runs().refresh();
    assert.deepEqual([run?.name, run?.protocol, run?.words.length], ['A', 'mcp', 2]);
  });

  it("of an agent's stream extend to the last write", async () => {
    const file = home.in('stream.ndjson');
    writeFileSync(file, '{"type":"thread.started","thread_id":"s"}\n{"type":"turn.started"}\n');
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const files = runs();
    const run = await files.show(await files.at(file, 'opened'));
    await run.read();
    assert.equal(run.log.find('s')?.summary?.activity.type, 'waiting-for-model');
    assert.equal(run.asOf(Date.now()), 1_700_000_000_000);
    // What the next run appends says nothing about the time between.
    const grown = new Promise<void>((resolve) => run.log.onDidChange(() => resolve()));
    appendFileSync(file, '{"type":"item.completed","item":{"type":"agent_message","text":"Hi."}}\n');
    await grown;
    assert.equal(run.log.find('s')?.summary?.activity.type, 'answering');
    assert.deepEqual(run.log.store.query({ kinds: ['diagnosis'] }), []);
    await files.dispose();
  });
});
