import type { Trial } from './trial';

/**
 * No agent of today answers `logging/setLevel`. Ours was greeted with `info`: more than that needs a restart, less is the view's affair.
 */
export async function checkLevels(trial: Trial): Promise<void> {
  const { run, checks } = trial;
  const more = await trial.step('level', () => run.setLevel('debug'));
  checks.equal('setLevel("debug")', more, 'needs-restart');
  checks.equal('setLevel("warning")', await run.setLevel('warning'), 'unsupported');
  checks.equal('the level shown', run.level, 'warning');
  await run.setLevel('info');
}
