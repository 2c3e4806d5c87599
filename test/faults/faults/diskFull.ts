import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { ended } from '../../support/testRun';
import type { Fault, Outcome } from '../fault';
import { journalOnDisk } from '../journalOnDisk';
import type { Stage } from '../stage';
import { within } from '../waiting';

const total = 20_000;

/** One warning; the run continues, everything is in the log, and what the journal misses is counted. */
export const diskFull: Fault = {
  name: 'disk full (a tmpfs of 1 MB)',
  unable: () => (process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'mounting takes root'),
  async bringAbout(stage) {
    mkdirSync(stage.journals);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'agent-logs', stage.journals], { stdio: 'pipe' });
    } catch (error) {
      return { sent: '', lost: 0, failures: [], knownLimit: `not run: mount is not permitted (${String(error)})` };
    }
    try {
      return await flood(stage, () => stage.journal());
    } finally {
      execFileSync('umount', [stage.journals]);
    }
  },
};

/** The same without permission to mount: uses the device that is always full. */
export const noSpace: Fault = {
  name: 'ENOSPC at the first write (/dev/full)',
  unable: () => (existsSync('/dev/full') ? undefined : 'there is no /dev/full'),
  bringAbout: (stage) => flood(stage, () => stage.journal({ fileOf: () => '/dev/full' })),
};

async function flood(stage: Stage, journalOf: () => ReturnType<Stage['journal']>): Promise<Outcome> {
  const journal = journalOf();
  let events = 0;
  const write = journal.write.bind(journal);
  journal.write = (event) => {
    events++;
    write(event);
  };
  const run = await stage.startNumbered({ total, journal });
  const termination = await within(ended(run), 20_000, 'the run');
  await journal.close();
  const logged = run.log.connection.counts.alert;
  const disk = journal.path === '/dev/full' || !existsSync(stage.journals) ? undefined : journalOnDisk(stage.journals);
  const accounted = (disk?.events ?? 0) + journal.missing;
  return {
    sent: `${total} messages`,
    lost: total - logged,
    failures: [
      ...(accounted === events ? [] : [`${events} events, but ${accounted} written or counted as missing`]),
      ...(disk?.endsHalf === true ? ['the journal ends in the middle of a line'] : []),
      ...(stage.problems.length === 1 ? [] : [`${stage.problems.length} warnings`]),
      ...(termination.exitCode === 0 ? [] : [`ended with ${JSON.stringify(termination)}`]),
      ...(disk?.inOrder === false ? ['the journal is not in order'] : []),
    ],
    note: `${disk?.messages ?? 0} on disk, ${journal.missing} counted as missing; told: "${stage.problems.join('; ')}"`,
  };
}
