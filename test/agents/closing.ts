import type { Trial } from './trial';

/** Closes a session if the agent supports that. */
export async function checkClose(trial: Trial, sessionId: string): Promise<void> {
  const { run, checks } = trial;
  checks.equal('canCloseSessions', run.canCloseSessions, true);
  await trial.step('close', () => run.closeSession(sessionId));
  checks.inOrder('the close', trial.recordsOf(sessionId), [{ kind: 'lifecycle', message: /^session closed/ }]);
  checks.equal('the session in the end', run.log.find(sessionId)?.ended, true);
}
