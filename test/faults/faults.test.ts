// Injects one fault after another: `npm run test:faults`, or `npm run test:faults -- -g disk` for those with this word in their name. Fails if a record
// is lost without being reported, a process is left behind, or another check fails. Leftover processes are only found on Linux.
import assert from 'node:assert/strict';
import { livingIn, untilGone } from '../agents/processes';
import { exitOnSignals } from '../support/exitOnSignals';
import { printTable } from '../support/printTable';
import { messageOf } from '../../src/text/humanError';
import { faults } from './catalogue';
import type { Fault, Outcome } from './fault';
import { Stage } from './stage';

/** How long the processes of a fault may take to end afterwards, in milliseconds. */
const endMs = 3000;

/** A fault, and what came of it. */
interface Result extends Outcome {
  readonly name: string;
  /** Command lines of the processes that were left behind. */
  readonly left: readonly string[];
}

exitOnSignals();
const isPosix = process.platform !== 'win32';

(isPosix ? describe : describe.skip)('faults, injected with the signals and permissions of POSIX', function () {
  this.timeout(120_000);
  const results: Result[] = [];

  after(() => print(results));

  for (const fault of faults) {
    const unable = fault.unable?.();
    if (unable !== undefined) {
      it.skip(`${fault.name} (not run: ${unable})`);
    } else {
      it(fault.name, async () => {
        const result = await attempt(fault);
        results.push(result);
        assert.deepEqual(wrongIn(result), []);
      });
    }
  }
});

async function attempt(fault: Fault): Promise<Result> {
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
  return { ...outcome, name: fault.name, left: left.map(({ args }) => args) };
}

function wrongIn({ lost, failures, left }: Result): readonly string[] {
  return [...failures, ...(lost === 0 ? [] : [`${lost} records lost`]), ...left.map((args) => `left: ${args}`)];
}

function print(results: readonly Result[]): void {
  const rows = results.map((result) => {
    const { name, sent, lost, left, knownLimit, note } = result;
    const held = knownLimit === undefined ? 'held' : `known limit: ${knownLimit}`;
    const verdict = wrongIn(result).length > 0 ? `FAILED: ${wrongIn(result).join('; ')}` : held;
    return [name, sent, String(lost), String(left.length), note === undefined ? verdict : `${verdict} (${note})`];
  });
  console.log('');
  printTable([['Fault', 'What was sent', 'Records lost', 'Processes left', 'Verdict'], ...rows]);
}
