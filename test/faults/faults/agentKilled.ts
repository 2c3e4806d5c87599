import { setTimeout as delay } from 'node:timers/promises';
import { ended } from '../../support/testRun';
import type { Fault } from '../fault';
import { journalOnDisk } from '../journalOnDisk';
import { within } from '../waiting';

/** What the agent had written is in the journal, in order, and in the log. */
export const agentKilled: Fault = {
  name: 'agent killed with SIGKILL in a flood',
  async bringAbout(stage) {
    const run = await stage.startNumbered({ journal: stage.journal() });
    await delay(1500);
    process.kill(run.pid!, 'SIGKILL');
    const termination = await within(ended(run), 5000, 'the end of the run');
    await run.journal?.close();
    const { written } = stage;
    const disk = journalOnDisk(stage.journals);
    const logged = run.log.connection.counts.alert;
    return {
      sent: `${written} messages`,
      lost: Math.max(0, written - disk.messages, written - logged),
      failures: [
        ...(disk.inOrder ? [] : ['the journal is not in order']),
        ...(logged === disk.messages ? [] : [`${logged} in the log, ${disk.messages} in the journal`]),
        ...(termination.signal === 'SIGKILL' ? [] : [`ended with ${JSON.stringify(termination)}`]),
      ],
      note: `${disk.messages} on disk, ${logged} in the log`,
    };
  },
};
