import type { Action } from '../../runs/actions';
import { prefix } from './names';

/** The context keys of the manifest's `when` clauses. */
export const contextKeys = {
  hasAgents: 'agentLogs.hasAgents',
  hasRuns: 'agentLogs.hasRuns',
  hasLiveRuns: 'agentLogs.hasLiveRuns',
  /** Servers that users may log in to. */
  hasServers: 'agentLogs.hasServers',
  hasProblems: 'agentLogs.hasProblems',
  /** As far as the Sessions view or a command has found. */
  hasWatchedServers: 'agentLogs.hasWatchedServers',
} as const;

/** The key of an action that some shown run, or a session of one, can do, such as `agentLogs.can.stop`. */
export function canKey(action: Action): string {
  return `${prefix}.can.${action}`;
}
