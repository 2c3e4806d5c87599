import assert from 'node:assert/strict';
import { readFileSync, rmSync, truncateSync } from 'node:fs';
import fc from 'fast-check';
import { wholeLine } from '../../../src/wire/lines/wholeLine';
import { WireLine } from '../../../src/wire/wireLine';
import { readJournalHeader } from '../../../src/wire/journal/journalLine';
import { readJournalLine } from '../../../src/wire/journal/journalReader';
import type { OpenJournal } from '../../../src/wire/journal/journalPart';
import type { JournalOptions } from '../../../src/wire/journal/journalWriter';
import { JournalWriter } from '../../../src/wire/journal/journalWriter';
import { hangingDisk, writingWith } from '../../support/journalDisk';
import { holds } from '../../support/property';
import { useFolder } from '../../support/tempFolder';
import { TickingClock } from '../../support/tickingClock';

const t = Date.parse('2026-11-20T12:00:00.000Z');

const header = { journal: 1, agent: 'A', protocol: 'acp', command: [], cwd: '/', startedAt: '' } as const;

describe('a journal on a difficult disk', () => {
  const folder = useFolder();
  let path: string;
  let problems: string[];
  beforeEach(() => {
    path = folder.in('journal.ndjson');
    problems = [];
  });

  function writer(open?: OpenJournal, { every } = new TickingClock(), more?: Partial<JournalOptions>): JournalWriter {
    const onProblem = ({ message }: Error): number => problems.push(message);
    const usual = { every, fileOf: () => path, header, startedAt: t, maxFileSize: 1e9, onProblem };
    return new JournalWriter({ ...usual, ...(open && { open }), ...more });
  }

  /** A disk that does this once a write has begun, when a thread of the system writes. */
  const during = (then: (block: string) => void): OpenJournal =>
    writingWith((real) => (blocks) => {
      const result = real(blocks);
      then(String(blocks[0] ?? ''));
      return result;
    });

  const write = (journal: JournalWriter, from: number, to: number): void => {
    for (let n = from; n <= to; n++) journal.write({ t, dir: 'a2c', line: String(n), msg: n });
  };
  const linesOf = (): string[] => readFileSync(path, 'utf8').split('\n');
  /** The numbers in the journal. Fails if a line can't be read. */
  const numbers = (): unknown[] =>
    linesOf()
      .slice(0, -1)
      .flatMap((line) => {
        if (readJournalHeader(line)) return [];
        const event = readJournalLine(line);
        assert.ok(event && 'msg' in event && event.msg !== undefined, `unreadable: ${line}`);
        return [event.msg];
      });
  const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  it('keeps whole lines when the process exits while the header of a truncated file is written again', async () => {
    let written: unknown[] = [];
    let isTruncated = false;
    const exiting = during((block) => {
      if (!isTruncated || !block.includes('"journal"')) return;
      journal.writeNow();
      written = numbers();
    });
    const journal: JournalWriter = writer(exiting);
    write(journal, 1, 3);
    await journal.flush();
    truncateSync(path, 0);
    isTruncated = true;
    write(journal, 4, 100);
    await journal.flush();
    assert.deepEqual(written, oneTo(100).slice(3));
  });

  it('keeps lines once and in order when the process exits during a write', async () => {
    let written: unknown[] = [];
    const exiting = during((block) => {
      if (!block.includes('"msg"')) return;
      write(journal, 101, 200);
      journal.writeNow();
      written = numbers();
    });
    const journal: JournalWriter = writer(exiting);
    await journal.begin();
    write(journal, 1, 100);
    await journal.flush();
    assert.deepEqual(written, oneTo(200));
    assert.deepEqual(numbers(), oneTo(200));
    await journal.close();
  });

  it('counts exactly the lines that a full disk refused, and ends with a whole line', async () => {
    for (const room of [0, 1, 100, 1000, 5000]) {
      let left = Infinity;
      const full = writingWith((real) => async (blocks) => {
        const bytes = Buffer.concat(blocks);
        if (left === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        const taken = bytes.subarray(0, Math.min(left, bytes.length));
        left -= taken.length;
        return real([taken]);
      });
      rmSync(path, { force: true });
      problems = [];
      const journal = writer(full);
      write(journal, 1, 10);
      await journal.flush();
      left = room;
      write(journal, 11, 110);
      await journal.flush();
      write(journal, 111, 120);
      await journal.close();
      const kept = numbers();
      assert.deepEqual(kept, oneTo(kept.length));
      assert.equal(linesOf().at(-1), '');
      assert.equal(journal.missing, 120 - kept.length, `with room for ${room} bytes`);
      assert.deepEqual(problems, ['ENOSPC: no space left on device, write']);
    }
  });

  it('is switched off, with one warning, when a write hangs for ten seconds', async () => {
    const clock = new TickingClock();
    const disk = hangingDisk();
    const journal = writer(disk.open, clock);
    write(journal, 1, 10);
    await journal.flush();
    disk.hang();
    write(journal, 11, 20);
    const flushed = journal.flush();
    await disk.hung;
    clock.tick(9);
    assert.deepEqual([problems, journal.isHanging], [[], false]);
    write(journal, 21, 30);
    clock.tick(1);
    await flushed;
    await journal.close();
    assert.deepEqual(problems, ["the disk didn't respond for 10 s"]);
    assert.deepEqual([journal.missing, journal.isBehind, journal.isHanging], [20, false, true]);
    write(journal, 31, 40);
    await journal.flush();
    journal.writeNow();
    assert.deepEqual([journal.missing, problems.length], [30, 1]);
    // The server of the folder is back.
    disk.release();
    await disk.closed;
    await new Promise(setImmediate);
    assert.deepEqual(numbers(), oneTo(20));
    assert.deepEqual([journal.missing, journal.isHanging], [20, false]);
  });

  it('is touched every minute, so that readers see that its writer is alive', async () => {
    const clock = new TickingClock();
    const touched: number[] = [];
    const opening = writingWith((real) => real);
    const open: OpenJournal = async (name) => ({
      ...(await opening(name)),
      utimes: (_atime, mtime) => Promise.resolve(void touched.push(Number(mtime))),
    });
    const beating = { ...header, host: { pid: 1, beat: 60 } };
    const journal = writer(open, clock, { header: beating, maxFileSize: 100 });
    await journal.begin();
    write(journal, 1, 10);
    await journal.flush();
    write(journal, 11, 20); // another file
    await journal.flush();
    assert.deepEqual(clock.periods, [60_000]);
    clock.tick(2);
    await journal.flush();
    assert.equal(touched.length, 2);
    await journal.close();
    assert.deepEqual([clock.periods, problems], [[], []]);
  });

  it('stays on as long as a slow disk makes progress', async () => {
    const clock = new TickingClock();
    const slow = writingWith((real) => async (blocks) => {
      const result = await real([Buffer.concat(blocks).subarray(0, 100)]);
      clock.tick(9);
      return result;
    });
    const journal = writer(slow, clock);
    write(journal, 1, 20);
    await journal.close();
    assert.deepEqual([numbers(), problems], [oneTo(20), []]);
  });

  it('does not delay a stop once the disk does not respond', async () => {
    const clock = new TickingClock();
    const disk = hangingDisk();
    const journal = writer(disk.open, clock);
    const bytes = Buffer.from(JSON.stringify('x'.repeat(1024 * 1024)));
    const line = new WireLine(t, 'a2c', wholeLine(bytes));
    line.isLog = true;
    const flood = (lines: number): void => {
      for (let n = 0; n < lines; n++) journal.write(line);
    };
    await journal.begin();
    disk.hang();
    flood(1);
    await disk.hung;
    flood(5);
    clock.tick(1);
    assert.equal(journal.isBehind, true);
    journal.stopWaiting();
    assert.equal(journal.isBehind, false);
    // Memory stays bounded.
    flood(60);
    assert.deepEqual(problems, ["the disk doesn't respond"]);
    assert.equal(journal.missing, 66);
    disk.release();
    await journal.close();
  });

  it('starts with a header again after its file was truncated', async () => {
    for (const size of [0, 20, 150]) {
      rmSync(path, { force: true });
      const journal = writer();
      write(journal, 1, 10);
      await journal.flush();
      truncateSync(path, size);
      write(journal, 11, 12);
      await journal.close();
      const lines = linesOf();
      const last = lines.findLastIndex((line) => readJournalHeader(line) !== undefined);
      const written = lines.slice(last + 1).map((line) => /"msg":(\d+)}$/.exec(line)?.[1]);
      assert.deepEqual(written, ['11', '12', undefined]);
      if (size === 0) assert.equal(last, 0);
      assert.deepEqual([problems, journal.missing], [[], 0]);
    }
  });

  holds(
    'keeps every line whole and in order however few bytes a write takes',
    30,
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), async (takes) => {
      rmSync(path, { force: true });
      let calls = 0;
      const journal = writer(
        writingWith((real) => (blocks) => {
          const bytes = Buffer.concat(blocks);
          return real([bytes.subarray(0, takes[calls++ % takes.length])]);
        }),
      );
      write(journal, 1, 10);
      await journal.flush();
      write(journal, 11, 20);
      await journal.close();
      assert.deepEqual(numbers(), oneTo(20));
      assert.deepEqual(problems, []);
    }),
  );
});
