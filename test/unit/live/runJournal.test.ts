import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { RecordStore } from '../../../src/store/store';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import type { Run } from '../../../src/live/run';
import { RunLog } from '../../../src/runLog/runLog';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { readJournalLine } from '../../../src/wire/journal/journalReader';
import type { JournalOptions } from '../../../src/wire/journal/journalWriter';
import { JournalWriter } from '../../../src/wire/journal/journalWriter';
import { hangingDisk, writingWith } from '../../support/journalDisk';
import { Redactor } from '../../../src/redact/redactor';
import { HumanError } from '../../../src/text/humanError';
import { describeRun } from '../../support/describeRun';
import { useFolder } from '../../support/tempFolder';
import { ended, recordOf, start, TestRuns } from '../../support/testRun';
import { TickingClock } from '../../support/tickingClock';

describe('a run and its journal', () => {
  const runs = TestRuns.ofSuite();
  const folder = useFolder();
  const redactor = { line: (text: string): string => text.replaceAll('hunter22', '[redacted]') };

  function journal(options: Partial<JournalOptions> = {}): JournalWriter {
    const startedAt = Date.now();
    return new JournalWriter({
      fileOf: new JournalFolder(folder.path).fileOf('A', 'run', startedAt),
      header: { journal: 1, agent: 'A', protocol: 'acp', command: [], cwd: '/', startedAt: '' },
      startedAt,
      maxFileSize: 1e9,
      onProblem: (error) => assert.fail(error),
      ...options,
    });
  }

  /** What is in the journal of a run that has ended. */
  async function journalOf(run: Run): Promise<string> {
    await run.journal?.close();
    return readFileSync(run.journal!.path!, 'utf8');
  }

  /** What the same interpreter reads from the journal. */
  function replayed(run: Run): string {
    const log = new RunLog(new RecordStore(1e8), run.startedAt);
    const interpreter = interpretation('acp', log);
    for (const line of readFileSync(run.journal!.path!, 'utf8').split('\n')) {
      const event = readJournalLine(line);
      if (event) interpreter.accept(event);
    }
    return describeRun(log, run.startedAt);
  }

  it('count each event that a full disk refuses once, although the agent is gone before its second `initialize`', async () => {
    const full = writingWith(() => () => Promise.reject(new Error('ENOSPC: no space left on device, write')));
    const problems: string[] = [];
    const journalOfFullDisk = journal({ open: full, onProblem: ({ message }) => problems.push(message) });
    let written = 0;
    const write = journalOfFullDisk.write.bind(journalOfFullDisk);
    journalOfFullDisk.write = (event) => {
      written++;
      write(event);
    };
    const spec = { args: [resolve('test/faults/agents/numbered.mjs'), '500'] };
    const run = await runs.start('numbered', { spec, journal: journalOfFullDisk });
    await ended(run);
    await journalOfFullDisk.close();
    assert.equal(run.log.connection.counts.alert, 500);
    assert.equal(journalOfFullDisk.missing, written);
    assert.equal(problems.length, 1);
  });

  it('have all of a flood', async () => {
    const run = await runs.start('floods', { args: ['20000'], journal: journal() });
    await recordOf(run, ({ message }) => message.startsWith('exited'));
    assert.equal((await journalOf(run)).split('"method":"log"').length - 1, 20_000);
  });

  describe('a run whose disk hangs', () => {
    let clock: TickingClock;
    let problems: string[];
    let hanging: JournalWriter;
    let run: Run;
    let disk: ReturnType<typeof hangingDisk>;
    beforeEach(async () => {
      clock = new TickingClock();
      problems = [];
      disk = hangingDisk();
      hanging = journal({ every: clock.every, open: disk.open, onProblem: ({ message }) => problems.push(message) });
      await hanging.begin();
      disk.hang();
      run = await runs.start('floods', { args: ['1000000'], journal: hanging });
      while (!hanging.isBehind) await new Promise(setImmediate);
    });
    afterEach(async () => {
      disk.release();
      while (hanging.isHanging) await new Promise(setImmediate);
    });

    it('can be stopped', async () => {
      clock.tick(1);
      await run.stop({ close: 0, terminate: 0 });
      clock.tick(10);
      await hanging.close();
      assert.deepEqual(problems, ["the disk didn't respond for 10 s"]);
    });

    it('continues without a journal after a while', async () => {
      const isOver = recordOf(run, ({ message }) => message === 'Message 100000 of 1000000');
      clock.tick(10);
      await isOver;
      assert.deepEqual(problems, ["the disk didn't respond for 10 s"]);
    });
  });

  it('have all of an oversized line, in pieces', async () => {
    const run = await runs.start('longLine', { journal: journal(), limits: { maxLineBytes: 4096 } });
    const record = await recordOf(run, ({ message }) => message.includes('is too long to be read'));
    await run.stop();
    const lines = (await journalOf(run)).trimEnd().split('\n');
    type Entry = { dir?: string; part?: string; bytes?: number; kept?: number };
    const entries = lines.map((line) => JSON.parse(line) as Entry);
    const end = entries.findIndex(({ dir, bytes }) => dir === 'a2c' && bytes !== undefined);
    const before = entries.slice(0, end).filter(({ dir, part }) => dir !== undefined && part !== undefined);
    assert.equal(entries[end]?.kept, entries[end]?.bytes);
    assert.equal(Buffer.byteLength(before.map(({ part }) => part).join('')), entries[end]?.bytes);
    assert.match(record.message, new RegExp(`a line of ${entries[end]?.bytes} bytes`));
    assert.equal(replayed(run), describeRun(run.log, run.startedAt));
  });

  it('have no secret that was redacted, and neither has the log', async () => {
    const run = await runs.start('asksPermission', { journal: journal(), redactor });
    await run.prompt(await run.newSession(), 'the password is hunter22');
    await run.stop();
    const kept = (await journalOf(run)) + describeRun(run.log, 0) + String(run.log.store.raw(4));
    assert.ok(!kept.includes('hunter22'));
    assert.ok(kept.includes('the password is [redacted]'));
  });

  it('have no secret of the folder', async () => {
    const place = folder.in('hunter22');
    mkdirSync(place);
    const run = await runs.start('asksPermission', { redactor, spec: { cwd: place } });
    assert.equal(run.cwd, folder.in('[redacted]'));
    await run.newSession();
  });

  it('have no secret in a notification about an error', async () => {
    const hidingMock = { line: (text: string): string => text.replaceAll('mock', '[redacted]') };
    const run = await runs.start('promptError', { redactor: hidingMock });
    const message = 'promptError refused session/prompt: Internal error: [redacted] rate limit';
    await assert.rejects(run.prompt(await run.newSession(), 'Go.'), { message });
  });

  it('have no secret in the end of a run that could not be started', async () => {
    const secret = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU';
    const spec = { command: `/none/API_KEY=${secret}` };
    const run = runs.create('asksPermission', { spec, redactor: new Redactor(), journal: journal() });
    const error: unknown = await start(run).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof HumanError);
    const { message, stack, words, missing } = error;
    const kept = JSON.stringify([message, stack, words, missing, run.state]) + describeRun(run.log, 0);
    assert.ok(!(kept + (await journalOf(run))).includes(secret), kept);
    assert.match(message, /API_KEY=/);
  });
});
