import { ended, recordOf } from '../../support/testRun';
import type { Fault } from '../fault';
import { journalOnDisk } from '../journalOnDisk';
import { within } from '../waiting';

const total = 20_000;
const year = 365 * 24 * 3600 * 1000;
const jumps = [0, 10, -20, 270_000, -300_000, 5];

/** Records stay ordered by number, the journal is readable, and nothing waits for the clock to catch up. */
export const clockJumps: Fault = {
  name: 'clock jumps by years, to and fro',
  async bringAbout(stage) {
    let calls = 0;
    const now = (): number => Date.now() + (jumps[Math.floor(calls++ / 500) % jumps.length] ?? 0) * year;
    const run = await stage.startNumbered({ total, now, journal: stage.journal() });
    await within(ended(run), 20_000, 'the run');
    await run.journal?.close();
    const disk = journalOnDisk(stage.journals);
    const records = run.log.store.query();
    const seqs = records.map(({ seq }) => seq);
    const logged = run.log.connection.counts.alert;
    return {
      sent: `${total} messages`,
      lost: Math.max(total - logged, total - disk.messages),
      failures: [
        ...(disk.inOrder ? [] : ['the journal is not in order']),
        ...(seqs.every((seq, i) => i === 0 || seq === (seqs[i - 1] ?? 0) + 1) ? [] : ['the log is not in order']),
      ],
      note: `${disk.messages} on disk, ${logged} in the log`,
    };
  },
};

/** What waits for a quiet moment is shown after one, whatever the clock says. */
export const clockBehind: Fault = {
  name: 'clock set back by a year while a line of stderr waits',
  async bringAbout(stage) {
    let back = 0;
    const write = `process.stdin.once('data', () => { process.stdout.write('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}\\n'); process.stderr.write('a line that waits\\n'); });`;
    const run = await stage.start('silent', [], {
      now: () => Date.now() - back,
      spec: { args: ['-e', write] },
    });
    run.onEvent((event) => event.dir === 'err' && (back = year));
    const shown = recordOf(run, ({ message }) => message === 'a line that waits');
    const start = performance.now();
    const failures = await within(shown, 2000, 'the line').then(
      () => [],
      (error: unknown) => [String(error)],
    );
    await run.stop({ close: 100, terminate: 500 });
    return {
      sent: '1 line',
      lost: 0,
      failures,
      note: `shown after ${Math.round(performance.now() - start)} ms`,
    };
  },
};
