import { hasToken } from '../../runs/config/launchSpec';
import type { Run } from '../../runs/run';
import type { RunView } from '../../runs/runView';
import { isOwnRun } from '../../runs/runs';

/** Whether the run's server is one that users may log in to. */
export function mayLogIn({ definition }: Run): boolean {
  return 'url' in definition && !hasToken(definition);
}

/** Whether the run failed because the user isn't logged in to its server. */
export function needsLogin(run: RunView): boolean {
  if (!isOwnRun(run) || run.state.type !== 'ended' || !mayLogIn(run)) return false;
  return run.log.connection.summary?.worst?.code === 'authentication-required';
}
