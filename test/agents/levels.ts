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
