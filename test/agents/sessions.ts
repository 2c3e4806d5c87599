import type { RecordPattern } from './checks';
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

/** A turn of a user who rejects the call that it asks permission for. */
export async function checkReject(trial: Trial, text: string): Promise<void> {
  const sessionId = await trial.open('reject');
  await trial.prompt(sessionId, text);
  trial.checks.equal('how often permission was asked', trial.permissions.asked.length, 1);
  trial.checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'permission', level: 'notice' },
    { logger: 'permission', level: 'info', message: /[Rr]eject/ },
    { logger: 'turn', message: /^ended/ },
  ]);
}

/** Cancels a turn. @param before a record of the turn */
export async function cancelAndCheck(trial: Trial, turn: Promise<string>, before: RecordPattern): Promise<void> {
  const { sessionId } = trial;
  await trial.run.cancel({ sessionId });
  trial.checks.equal('the stop reason', await turn, 'cancelled');
  trial.checks.inOrder('the turn', trial.recordsOf(sessionId), [
    before,
    { logger: 'turn', level: 'info', message: /^cancel asked for$/ },
    { logger: 'turn', message: /cancelled/ },
  ]);
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
