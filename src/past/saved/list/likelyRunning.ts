import { formOf } from '../../../agents/agents';
import type { SavedDetails } from '../../../agents/savedDetails';
import type { SavedFile, SavedSession } from '../savedSession';

/** How long after the last write a session counts as running if its agent doesn't record its PID, in milliseconds. */
const recent = 120_000;
/** The same if its agent says that a turn runs: a kill leaves that behind, and looks like a long command. */
const recentTurn = 15 * 60_000;

/** Whether a turn is open and was written to lately. Agents that record their PIDs are known instead. */
export function likelyRunning(
  { agent, modifiedAt, outcome, isBusy }: Pick<SavedFile & SavedDetails, 'agent' | 'modifiedAt' | 'outcome' | 'isBusy'>,
  now: number,
): Pick<SavedSession, 'running' | 'likelyUntil'> {
  const form = formOf(agent);
  const runs = form.type === 'database' ? undefined : form.runs;
  if (runs === 'process' || (outcome !== undefined && outcome !== 'open')) return {};
  const isTurn = isBusy === true || (outcome === 'open' && runs === 'turn');
  const likelyUntil = modifiedAt + (isTurn ? recentTurn : recent);
  return now < likelyUntil ? { running: 'likely', likelyUntil } : {};
}
