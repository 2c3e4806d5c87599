import { setTimeout as delay } from 'node:timers/promises';
import { livingIn } from '../../agents/processes';
import type { Fault } from '../fault';
import { HostProcess } from '../hostProcess';
import { journalOnDisk } from '../journalOnDisk';
import { until } from '../waiting';

/** Maximum amount that the journal of a killed host may miss, in milliseconds. */
const mayMiss = 250;

/** The journal has everything until a moment before, and is readable even if the last line is incomplete. */
export const hostKilled: Fault = {
  name: 'extension host killed with SIGKILL in a flood',
  async bringAbout(stage) {
    const host = await HostProcess.start(stage, 'faults/agents/numbered', { args: ['0', stage.counterFile] });
    await delay(2000);
    const killedAt = await host.kill();
    const { written } = stage;
    const disk = journalOnDisk(stage.journals);
    const missed = Math.max(0, killedAt - disk.lastAt);
    const gone = await until(() => livingIn(stage.folder).length === 0, 8000);
    return {
      sent: `${written} messages`,
      lost: missed <= mayMiss ? 0 : written - disk.messages,
      failures: [
        ...(disk.inOrder ? [] : ['the journal is not in order']),
        ...(missed <= mayMiss ? [] : [`the journal ends ${missed} ms before`]),
      ],
      note:
        `${disk.messages} on disk, which ends ${missed} ms before the kill${disk.endsHalf ? ' in half a line' : ''}; ` +
        `agent gone after ${gone ?? 'more than 8000'} ms`,
    };
  },
};

/** An agent that ignores the end of stdin isn't orphaned: the guardian kills it and its child. */
export const hostOfDeafAgentKilled: Fault = {
  name: 'extension host killed, agent and its child deaf to EOF and SIGTERM',
  async bringAbout(stage) {
    const host = await HostProcess.start(stage, 'faults/agents/deafWithChild');
    const before = livingIn(stage.folder).length;
    await host.kill();
    const gone = await until(() => livingIn(stage.folder).length === 0, 8000);
    return {
      sent: `${before} processes`,
      lost: 0,
      failures: before === 2 ? [] : [`there were ${before} processes, not 2`],
      note: `gone after ${gone ?? 'more than 8000'} ms`,
    };
  },
};
