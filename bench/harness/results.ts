import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Row } from './figure';
import { peers } from './peers';

/** Formats the results and the machine as Markdown. */
export function resultsText(rows: readonly Row[], loadBefore: number): string {
  const packages = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const [cpu] = cpus();
  return [
    '# Speed',
    '',
    'Written by `npm run bench`. Subjects that are compared run in turns, each in its own process. × is our speed relative to the',
    'other subject: the median over the turns.',
    '',
    `- ${new Date().toISOString().slice(0, 10)}, version ${version} (${commit()}), Node ${process.versions.node}`,
    `- ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform} ${process.arch}`,
    `- load average ${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after: ${
      loadBefore > 1 ? 'other programs were running' : 'nothing else ran'
    }`,
    `- ${packages.join(', ')}`,
    '',
    '| | measured | goal | reached |',
    '|---|---|---|---|',
    ...rows.map(
      ({ what, measured, goal, reached }) => `| ${what} | ${measured} | ${goal} | ${reached ? 'yes' : '**no**'} |`,
    ),
    '',
  ].join('\n');
}

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
}
