// Compares the extension with its peers: `npm run bench`, or some figures: `npm run bench -- reader search [--quick]`.
// With `--against CHECKOUT` it also measures an older checkout. A full run is saved to bench/RESULTS.md.
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { activation } from './figures/activation';
import { explorer } from './figures/explorer';
import { growth } from './figures/growth';
import { host } from './figures/host';
import { joins } from './figures/joins';
import { pauses } from './figures/pauses';
import { pastRun } from './figures/pastRun';
import { query } from './figures/query';
import { reader } from './figures/reader';
import { redaction } from './figures/redaction';
import { savedList } from './figures/savedList';
import { search } from './figures/search';
import { size } from './figures/size';
import { store } from './figures/store';
import { tap } from './figures/tap';
import { memory, wholeWay } from './figures/wholeWay';
import { bundleOlder, bundleSubjects } from './harness/bundle';
import type { Figure, Row } from './harness/figure';
import { installPeers } from './harness/peers';
import { resultsText, rowText } from './harness/results';

const figures: Readonly<Record<string, Figure>> = {
  reader,
  wholeWay,
  memory,
  store,
  search,
  query,
  pastRun,
  pauses,
  savedList,
  joins,
  redaction,
  growth,
  tap,
  size,
  activation,
  host,
  explorer,
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      against: { type: 'string' },
    },
    allowPositionals: true,
  });
  const { quick, against } = values;
  const rounds = Number(values.rounds ?? (quick ? 1 : 5));
  const loadBefore = loadavg()[0] ?? 0;
  const rows: Row[] = [];

  await bundleSubjects();
  if (against !== undefined) bundleOlder(against);
  installPeers();
  for (const name of positionals.length > 0 ? positionals : Object.keys(figures)) {
    const figure = figures[name];
    if (!figure) throw new Error(`Unknown figure "${name}". Known: ${Object.keys(figures).join(', ')}.`);
    console.error(`${name} …`);
    const measured = await figure({ quick, rounds, against });
    rows.push(...measured);
    // Now, as a whole run takes an hour and may be stopped.
    for (const row of measured) {
      const older = row.older === undefined ? '' : ` ${row.older.ratio.toFixed(2)} × the older`;
      console.error(`${rowText(row)}${older}`);
    }
  }
  const text = resultsText(rows, loadBefore, against);
  console.log(text);
  if (positionals.length === 0 && !quick) writeFileSync('bench/RESULTS.md', text);
}

void main();
