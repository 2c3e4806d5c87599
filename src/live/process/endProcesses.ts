import { setTimeout as delay } from 'node:timers/promises';
import type { TreeProcess } from '../../machine/processTree';
import { stillRunning } from '../../machine/processTree';

const pollMs = 20;
/** How long processes that end with their agent may take, in milliseconds. */
const afterwardsMs = 150;
/** How long processes may take to end after SIGKILL, in milliseconds. */
const killedMs = 500;

/**
 * Ends processes of an agent that has exited without them, such as those behind `npx`: SIGTERM, then SIGKILL.
 * @param terminate how long they may take to end after SIGTERM, in milliseconds
 * @returns those that can't be ended
 */
export async function endProcesses(
  processes: readonly TreeProcess[],
  terminate: number,
): Promise<readonly TreeProcess[]> {
  const left = await ended(processes, 'SIGTERM', terminate);
  return ended(left, 'SIGKILL', killedMs);
}

/** Those of the processes that outlive the agent that has just exited. */
export function outliving(processes: readonly TreeProcess[]): Promise<readonly TreeProcess[]> {
  return leftAfter(afterwardsMs, processes);
}

async function ended(
  processes: readonly TreeProcess[],
  signal: NodeJS.Signals,
  ms: number,
): Promise<readonly TreeProcess[]> {
  const left = await stillRunning(processes);
  for (const { pid } of left) {
    try {
      process.kill(pid, signal);
    } catch {
      // It is gone, or not ours to end.
    }
  }
  return leftAfter(ms, left);
}

async function leftAfter(ms: number, processes: readonly TreeProcess[]): Promise<readonly TreeProcess[]> {
  let left = processes;
  await endsWithin(ms, async () => (left = await stillRunning(left)).length === 0);
  return left;
}

/** Polls whether something has ended, because only the exit of a child process is reported. Returns false if it hasn't after that many milliseconds. */
export async function endsWithin(ms: number, hasEnded: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + ms;
  while (!(await hasEnded())) {
    if (performance.now() >= until) return false;
    await delay(pollMs);
  }
  return true;
}
