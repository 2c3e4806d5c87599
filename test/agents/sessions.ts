import type { Trial } from './trial';

/**
 * None of the tested agents supports `logging/setLevel`. Each was initialized with `info`: a lower threshold needs a restart, for a
 * higher one the view hides records.
 */
export async function checkLevels(trial: Trial): Promise<void> {
  const { run, checks } = trial;
  const more = await trial.step('level', () => run.setLevel('debug'));
  checks.equal('setLevel("debug")', more, 'needs-restart');
  checks.equal('setLevel("warning")', await run.setLevel('warning'), 'unsupported');
  checks.equal('the level shown', run.level, 'warning');
  await run.setLevel('info');
}

/** Closes a session if the agent supports that. */
export async function checkClose(trial: Trial, sessionId: string): Promise<void> {
  const { run, checks } = trial;
  checks.equal('canCloseSessions', run.canCloseSessions, true);
  await trial.step('close', () => run.closeSession(sessionId));
  checks.inOrder('the close', trial.recordsOf(sessionId), [{ kind: 'lifecycle', message: /^session closed/ }]);
  checks.equal('the session in the end', run.log.find(sessionId)?.ended, true);
}

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
