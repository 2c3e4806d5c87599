import { livingIn } from '../../agents/processes';
import { recordOf } from '../../support/testRun';
import type { Fault } from '../fault';
import { within } from '../waiting';

/** What an agent leaves behind in its process group is killed and reported. */
export const orphans: Fault = {
  name: 'agent leaves a child behind in its group',
  async bringAbout(stage) {
    const run = await stage.start('leavesChild');
    await recordOf(run, ({ message }) => message === 'Child started');
    const before = livingIn(stage.folder).length;
    await within(run.stop({ close: 2000, terminate: 500 }), 8000, 'stop');
    const told = run.log.store.query({ kinds: ['lifecycle'] }).some(({ message }) => /left|behind/.test(message));
    return {
      sent: `${before} processes`,
      lost: 0,
      failures: [
        ...(before === 2 ? [] : [`there were ${before} processes, not 2`]),
        ...(told ? [] : ['nobody was told']),
      ],
    };
  },
};

/** A daemon left on purpose: it may be a build server that others use. The run doesn't wait for it, though it keeps the pipes open. */
export const daemons: Fault = {
  name: 'agent leaves a daemon behind (setsid) that holds its pipes',
  async bringAbout(stage) {
    const run = await stage.start('faults/agents/leavesDaemon');
    await recordOf(run, ({ message }) => message === 'Daemon started');
    const start = performance.now();
    await within(run.stop({ close: 2000, terminate: 500 }), 8000, 'stop');
    const left = livingIn(stage.folder);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    return {
      sent: '2 processes',
      lost: 0,
      failures: [],
      note: `the run ended after ${Math.round(performance.now() - start)} ms`,
      knownLimit: `${left.length} stays: who left the group is not followed`,
    };
  },
};
