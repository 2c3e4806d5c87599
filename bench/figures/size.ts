import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { makeVsix } from '../../scripts/package/vsix.mjs';
import { outFolder } from '../harness/bundle';
import type { Figure } from '../harness/figure';
import { atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredLoading } from '../subjects/loading';

/** Bytes that VS Code loads to activate the extension: its main file, and the parts it needs at once. Also those of the VSIX. */
export const size: Figure = async ({ rounds }) => {
  execFileSync(process.execPath, ['scripts/build.mjs', '--production'], { stdio: 'inherit' });
  const runs = await sideBySide<MeasuredLoading>([{ name: 'ours', program: 'loading' }], rounds);
  const all = runs.get('ours') ?? [];
  const [first] = all;
  const details = `minified, ${first?.files} files; loaded in ${median(all.map(({ ms }) => ms)).toFixed(1)} ms`;
  const vsix = join(outFolder, 'agent-logs.vsix');
  await makeVsix(vsix);
  return [
    atMost('loaded at activation', (first?.bytes ?? NaN) / 1024, 150, 'KB', details),
    atMost('the VSIX', statSync(vsix).size / 1024, 1178, 'KB'),
  ];
};
