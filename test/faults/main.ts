// Injects one fault after another and prints the outcomes: `npm run test:faults`. `npm run test:faults -- host disk` runs only those with one of these
// words in their name. Leftover processes are only found on Linux. Exits with code 1 if a record is lost without being reported, a process is left
// behind, or another check fails.
import { livingIn, untilGone } from '../agents/processes';
import { messageOf } from '../../src/runs/humanError';
import { duration } from '../../src/log/text';
import { faults } from './catalogue';
import type { Fault, Outcome } from './fault';
import type { Row } from './report';
import { table } from './report';
import { Stage } from './stage';

/** How long the processes of a fault may take to end afterwards, in milliseconds. */
const endMs = 3000;

async function main(words: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    console.log('Not run: these faults are made with the signals and permissions of POSIX.');
    return 0;
  }
  const rows: Row[] = [];
  const start = performance.now();
  for (const fault of faults.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))) {
    const row = await attempt(fault);
    rows.push(row);
    console.log(`${row.fault}: ${row.verdict}`);
  }
  const sum = (count: (row: Row) => number): number => rows.reduce((all, row) => all + count(row), 0);
  const failed = rows.filter(({ verdict }) => verdict.startsWith('FAILED')).length;
  console.log(`\n${table(rows)}\n`);
  console.log(
    `${rows.length} faults tried in ${duration(performance.now() - start)}: ${sum(({ lost }) => lost)} records lost, ` +
      `${sum(({ left }) => left)} processes left, ${failed} failed`,
  );
  return failed === 0 ? 0 : 1;
}

async function attempt(fault: Fault): Promise<Row> {
  const unable = fault.unable?.();
  if (unable !== undefined) return { fault: fault.name, sent: '', lost: 0, left: 0, verdict: `not run: ${unable}` };
  const stage = new Stage();
  let outcome: Outcome;
  try {
    outcome = await fault.bringAbout(stage);
  } catch (error) {
    outcome = { sent: '', lost: 0, failures: [messageOf(error)] };
  }
  const { left } = await untilGone(() => livingIn(stage.folder), endMs);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  await stage.clear();
  return {
    fault: fault.name,
    sent: outcome.sent,
    lost: outcome.lost,
    left: left.length,
    verdict: verdict(outcome, left),
  };
}

function verdict({ lost, failures, knownLimit, note }: Outcome, left: readonly { readonly args: string }[]): string {
  const wrong = [
    ...failures,
    ...(lost === 0 ? [] : [`${lost} records lost`]),
    ...left.map(({ args }) => `left: ${args}`),
  ];
  const measured = note === undefined ? '' : ` (${note})`;
  if (wrong.length > 0) return `FAILED: ${wrong.join('; ')}${measured}`;
  return (knownLimit === undefined ? 'held' : `known limit: ${knownLimit}`) + measured;
}

// An interrupted script would otherwise leave the agents behind, because each has its own process group.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

void main(process.argv.slice(2)).then((code) => process.exit(code));
