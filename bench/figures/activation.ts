import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProduction } from '../harness/bundle';
import type { Figure } from '../harness/figure';
import { atMost } from '../harness/figure';
import { bundleHost, hostRun } from '../harness/hostRun';
import { median, ratio } from '../harness/sideBySide';
import type { MeasuredActivation } from '../host/activation';

/** Activation in new windows of one profile, the first of which compiles everything and isn't counted. */
export const activation: Figure = async ({ rounds, against }) => {
  await bundleHost();
  const checkouts = against === undefined ? ['.'] : ['.', against];
  const all = checkouts.map((): MeasuredActivation[] => []);
  const profiles = checkouts.map(() => mkdtempSync(join(tmpdir(), 'agent-logs-bench-')));
  checkouts.forEach(buildProduction);
  for (let round = 0; round <= Math.min(rounds, 3); round++) {
    for (const [at, checkout] of checkouts.entries()) {
      const measured = await hostRun<MeasuredActivation>('activation', {}, { checkout, profile: profiles[at] ?? '' });
      all[at]?.push(measured);
    }
  }
  for (const profile of profiles) rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  const [ours = [], older = []] = all.map(([, ...counted]) => counted);
  const of = (by: keyof MeasuredActivation): number => median(ours.map((one) => one[by]));
  const first = all[0]?.[0];
  const details = `CPU ${of('cpuMs').toFixed(0)} ms; in the first window ${first?.ms.toFixed(0)} ms, CPU ${first?.cpuMs.toFixed(0)} ms`;
  return [
    {
      ...atMost('activation, awaited in a quiet window', of('ms'), 30, 'ms', details),
      ...(against !== undefined && { older: { ratio: ratio(ours, older, 'cpuMs'), goal: 3 } }),
    },
  ];
};
