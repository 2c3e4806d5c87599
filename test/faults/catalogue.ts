import type { Fault } from './fault';
import { agentKilled } from './faults/agentKilled';
import { clockBehind, clockJumps } from './faults/clockJumps';
import { closedStdout, deafAgent, fullStdin, suspendedAgent } from './faults/deafAgents';
import { diskFull, noSpace } from './faults/diskFull';
import { readOnWhileDiskHangs, stoppedWhileDiskHangs } from './faults/diskHangs';
import { hostKilled, hostOfDeafAgentKilled } from './faults/hostKilled';
import { hostKilledInQuery, hungDatabase } from './faults/hungDatabase';
import { folderDeleted, permissionLost } from './faults/journalFolder';
import { daemons, orphans } from './faults/orphans';
import { lateOutput, tapKilled } from './faults/tapKilled';

/** All faults, in the order in which they are injected. */
export const faults: readonly Fault[] = [
  ...[agentKilled, hostKilled, hostOfDeafAgentKilled, lateOutput, tapKilled, diskFull, noSpace],
  ...[stoppedWhileDiskHangs, readOnWhileDiskHangs, folderDeleted, permissionLost],
  ...[deafAgent, suspendedAgent, closedStdout, fullStdin, orphans, daemons],
  ...[clockJumps, clockBehind, hungDatabase, hostKilledInQuery],
];
