import { checkClose } from './closing';
import type { Trial } from './trial';

/** The sessions of a session's own subagents. */
export function sessionIdsBelow({ run }: Trial, parent: string): readonly string[] {
  return run.log.sessions.flatMap(({ id, parent: above }) => (above === parent ? [id] : []));
}

/** Closes a session, which ends those of its subagents. */
export async function closeAndCheck(trial: Trial, sessionId: string): Promise<void> {
  await checkClose(trial, sessionId);
  const open = sessionIdsBelow(trial, sessionId).filter((id) => trial.run.log.find(id)?.ended !== true);
  trial.checks.equal('the subagents that are still open', open, []);
}
