import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../../../src/live/run';
import type { JournalWriter } from '../../../src/wire/journal/journalWriter';
import type { Fault, Outcome } from '../fault';
import type { Stage } from '../stage';
import { until, within } from '../waiting';

const grace = { close: 300, terminate: 300 };

/** A journal on a network folder whose server is gone doesn't hold up Stop. */
export const stoppedWhileDiskHangs: Fault = {
  name: 'disk hangs (a pipe that nobody reads), then Stop',
  bringAbout: (stage) =>
    onHangingDisk(stage, async (run, journal) => {
      const isBehind = await until(() => journal.isBehind, 5000);
      const start = performance.now();
      await within(run.stop(grace), 5000, 'stop');
      return {
        failures: isBehind === undefined ? ['reading was not held back'] : [],
        note: `gone after ${Math.round(performance.now() - start)} ms`,
      };
    }),
};

/** One warning after a while; the run continues. */
export const readOnWhileDiskHangs: Fault = {
  name: 'disk hangs (a pipe that nobody reads), run goes on',
  bringAbout: (stage) =>
    onHangingDisk(stage, async (run, journal) => {
      const start = performance.now();
      await until(() => stage.problems.length > 0, 15_000);
      const warnedAfter = Math.round(performance.now() - start);
      const before = run.log.connection.counts.alert;
      const isGoingOn = await until(() => run.log.connection.counts.alert > before + 10_000, 5000);
      await within(run.stop(grace), 5000, 'stop');
      await within(journal.close(), 1000, 'closing the journal');
      return {
        failures: [
          ...(isGoingOn === undefined ? ['nothing more was read'] : []),
          ...(stage.problems.length === 1 ? [] : [`${stage.problems.length} warnings`]),
        ],
        note: `told after ${warnedAfter} ms: "${stage.problems.join('; ')}"`,
      };
    }),
};

async function onHangingDisk(
  stage: Stage,
  attempt: (run: Run, journal: JournalWriter) => Promise<Pick<Outcome, 'failures' | 'note'>>,
): Promise<Outcome> {
  const pipe = join(stage.folder, 'journal');
  execFileSync('mkfifo', [pipe]);
  // Opens the pipe for reading but never reads: the write blocks as on a hung network folder.
  const reader = spawn('sh', ['-c', 'echo > "$0.open"; exec sleep 60 < "$0"', pipe], { stdio: 'ignore' });
  try {
    await until(() => existsSync(`${pipe}.open`), 2000);
    const journal = stage.journal({ fileOf: () => pipe });
    const run = await stage.startNumbered({ journal });
    return { sent: `${stage.written} messages`, lost: 0, ...(await attempt(run, journal)) };
  } finally {
    reader.kill();
  }
}
