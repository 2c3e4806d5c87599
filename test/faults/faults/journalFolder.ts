import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ended } from '../../support/testRun';
import type { Fault } from '../fault';
import { HostProcess } from '../hostProcess';
import { journalOnDisk } from '../journalOnDisk';
import { until, within } from '../waiting';

const total = 60_000;
/** The user ID of "nobody", to which permissions apply. */
const nobody = 65_534;

/** The journal continues in its next part, and the log has everything. */
export const folderDeleted: Fault = {
  name: 'journal folder deleted in mid-run',
  async bringAbout(stage) {
    const journal = stage.journal();
    const run = await stage.startNumbered({ total, journal });
    await delay(300);
    rmSync(stage.journals, { recursive: true });
    await within(ended(run), 20_000, 'the run');
    await journal.close();
    const logged = run.log.connection.counts.alert;
    const told = stage.problems.length > 0 || journal.missing > 0;
    return {
      sent: `${total} messages`,
      lost: total - logged,
      failures: [],
      note: `${logged} in the log`,
      ...(!told && { knownLimit: 'the journal is gone with its folder, and nobody is told' }),
    };
  },
};

/** One warning; the run continues, and what the journal misses is counted. */
export const permissionLost: Fault = {
  name: 'permission to the journal folder lost in mid-run',
  unable: () => (process.platform === 'win32' ? 'Windows has no such permissions' : undefined),
  async bringAbout(stage) {
    mkdirSync(stage.journals);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const path of [stage.folder, stage.journals]) chownSync(path, nobody, nobody);
    const host = await HostProcess.start(stage, 'faults/agents/numbered', {
      args: [String(total), stage.counterFile],
      maxFileSize: 512 * 1024,
      ...(isRoot && { uid: nobody }),
    });
    await until(() => readdirSync(stage.journals).length > 1, 5000);
    chmodSync(stage.journals, 0o500);
    const { logged, missing, problems, termination } = await host.result();
    chmodSync(stage.journals, 0o700);
    const disk = journalOnDisk(stage.journals);
    return {
      sent: `${total} messages`,
      lost: total - logged + Math.max(0, total - disk.events - missing),
      failures: [
        ...(problems.length === 1 ? [] : [`${problems.length} warnings`]),
        ...(disk.inOrder ? [] : ['the journal is not in order']),
        ...(termination.exitCode === 0 ? [] : [`ended with ${JSON.stringify(termination)}`]),
      ],
      note: `${disk.messages} on disk in ${disk.files} files, ${missing} counted as missing`,
    };
  },
};
