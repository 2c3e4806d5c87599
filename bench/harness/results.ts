import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Row } from './figure';
import { peers } from './peers';

/**
 * Formats the results and the machine as Markdown.
 * @param against the older checkout that was measured, too
 */
export function resultsText(rows: readonly Row[], loadBefore: number, against?: string): string {
  const packages = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  const [cpu] = cpus();
  return [
    '# Speed',
    '',
    'Written by `npm run bench`. Subjects that are compared run in turns, each in its own process. × is our speed relative to the',
    'other subject: the median over the turns.',
    '',
    `- ${new Date().toISOString().slice(0, 10)}, version ${versionOf('.')} (${commit()}), Node ${process.versions.node}`,
    `- ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform} ${process.arch}`,
    `- load average ${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after: ${
      loadBefore > 1 ? 'other programs were running' : 'nothing else ran'
    }`,
    `- ${packages.join(', ')}`,
    '',
    '| | measured | goal | reached |',
    '|---|---|---|---|',
    ...rows.map(rowText),
    '',
    ...(against === undefined ? [] : goals(rows, versionOf(against))),
  ].join('\n');
}

/** A line of the first table. */
export function rowText({ what, measured, goal, reached }: Row): string {
  return `| ${what} | ${measured} | ${goal} | ${reached ? 'yes' : '**no**'} |`;
}

/** What was compared with both an older build and a peer. */
function goals(rows: readonly Row[], version: string): readonly string[] {
  return [
    `| by CPU time, the tap by time | against ${version} | goal | against the peer | goal | reached |`,
    '|---|---|---|---|---|---|',
    ...rows.flatMap(({ what, measured, goal, reached, older }) =>
      older === undefined
        ? []
        : [
            `| ${what} | ${older.ratio.toFixed(2)} × | ≥ ${older.goal} | ${measured} | ${goal} | ${reached && older.ratio >= older.goal ? 'yes' : '**no**'} |`,
          ],
    ),
    '',
  ];
}

function versionOf(checkout: string): string {
  const manifest = readFileSync(join(checkout, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
}
