import { availableParallelism } from 'node:os';
import { Cancelled } from '../../time/waiting';
import type { UnreadableConfig } from '../configuredServers';
import type { CheckedServer } from './checkedServer';
import type { CheckOptions } from './checkServer';
import { checkServer } from './checkServer';
import type { CheckTarget } from './checkTarget';
import { knownServer } from './knownServer';
import type { PastCalls } from './pastCalls';
import { pastCalls } from './pastCalls';
import type { Conduct } from './recordedServer';
import type { Recordings } from './recordings';
import { checkTools } from './rules/checkTools';
import type { Finding } from './rules/finding';

/** What was found out about servers. */
export interface CheckUp {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Those that failed first, then those with errors. */
  readonly servers: readonly CheckedServer[];
  readonly findings: readonly Finding[];
  /** How many local servers were started at a time, at most. */
  readonly atOnce: number;
  /** How many of them took so long that the next was started beside them. */
  readonly slow: number;
  /** Files that may have more servers. */
  readonly unreadable: readonly UnreadableConfig[];
}

export interface CheckUpOptions extends CheckOptions {
  /** Runs of the servers, from which more is known. */
  readonly recordings?: Pick<Recordings, 'of'>;
  /** How many local servers are started at a time. Default: one for each processor core, so that none slows another down. */
  readonly atOnce?: number;
  /** After this time, a server that is still being checked no longer keeps the next from starting, in milliseconds. Default: `slotTime`. */
  readonly slot?: number;
}

/** The usual time-out of a server, in milliseconds: `npx` may have to download it first. */
export const checkTimeout = 60_000;
/** A server that takes longer waits for something, which needs no processor, in milliseconds. */
export const slotTime = 10_000;
/** How many remote servers are asked at a time. */
const remoteAtOnce = 16;

/**
 * Checks servers, some at a time. Those that are running are read from their recordings.
 * @param onChecked called after each
 * @throws Cancelled once all have ended
 */
export async function checkUp(
  targets: readonly CheckTarget[],
  options: CheckUpOptions,
  signal: AbortSignal,
  onChecked: (server: CheckedServer) => void = () => undefined,
): Promise<CheckUp> {
  const { recordings, atOnce = availableParallelism(), slot = slotTime } = options;
  const runsOf = (target: CheckTarget): ReturnType<Recordings['of']> => recordings?.of(target) ?? [];
  const checked = new Map<CheckTarget, CheckedServer>();
  const waiting: CheckTarget[] = [];
  // All of them before past runs, which may be many.
  for (const target of targets) {
    const server = await knownServer(target, runsOf(target));
    if (!server) waiting.push(target);
    else checked.set(target, server);
  }
  for (const server of checked.values()) onChecked(server);
  const remote = waiting.filter(({ start }) => start.type === 'http');
  const local = waiting.filter(({ start }) => start.type === 'process');
  let slow = 0;
  const work = async (queue: CheckTarget[]): Promise<void> => {
    let successor: Promise<void> | undefined;
    for (let target = queue.shift(); target && !signal.aborted; target = successor ? undefined : queue.shift()) {
      const handOn = setTimeout(() => {
        if (queue.length === 0) return;
        if (queue === local) slow++;
        successor = work(queue);
        successor.catch(() => undefined); // It is awaited below.
      }, slot);
      const server = await checkServer(target, options, signal).finally(() => clearTimeout(handOn));
      checked.set(target, server);
      onChecked(server);
    }
    await successor;
  };
  const workers = await Promise.allSettled([
    ...remote.slice(0, remoteAtOnce).map(() => work(remote)),
    ...local.slice(0, atOnce).map(() => work(local)),
  ]);
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (signal.aborted) throw new Cancelled();
  if (failed) throw failed.reason;
  return concluded(targets, checked, runsOf, { atOnce, slow });
}

/** Checks servers by their recordings alone: none is started. */
export async function recordedCheckUp(
  targets: readonly CheckTarget[],
  recordings: Pick<Recordings, 'of'>,
): Promise<CheckUp> {
  const checked = new Map<CheckTarget, CheckedServer>();
  for (const target of targets) {
    const known = await knownServer(target, recordings.of(target), false);
    checked.set(target, known ?? { target, source: { type: 'unrecorded' }, tools: [], notes: [] });
  }
  return concluded(targets, checked, (target) => recordings.of(target), { atOnce: 0, slow: 0 });
}

async function concluded(
  targets: readonly CheckTarget[],
  checked: ReadonlyMap<CheckTarget, CheckedServer>,
  runsOf: (target: CheckTarget) => ReturnType<Recordings['of']>,
  starts: Pick<CheckUp, 'atOnce' | 'slow'>,
): Promise<CheckUp> {
  // Only now, as reading takes time that starts would seem to take.
  const calls = new Map<CheckTarget, PastCalls | undefined>();
  for (const target of targets) calls.set(target, await pastCalls(runsOf(target)));
  const servers = targets.flatMap((target) => {
    const [server, own] = [checked.get(target), calls.get(target)];
    return server ? [{ ...server, ...(own && { past: own }) }] : [];
  });
  const findings = checkTools(
    servers.map(({ target: { name, label, clients }, tools, instructions, past: own, conduct, failure }) => ({
      name,
      label,
      clients: clients.map(({ id }) => id),
      tools,
      ...(instructions !== undefined && { instructions }),
      ...(own && { past: own.tools }),
      // Of one that failed, it isn't known what it would have listed.
      ...(conduct && { conduct: failure ? onlyJunk(conduct) : conduct }),
    })),
  );
  return { at: Date.now(), ...starts, servers: worstFirst(servers, findings), findings, unreadable: [] };
}

function onlyJunk({ junk }: Conduct): Conduct {
  return junk ? { junk } : {};
}

/** Those that failed, then those with errors. */
function worstFirst(servers: readonly CheckedServer[], findings: readonly Finding[]): readonly CheckedServer[] {
  const bad = new Set(findings.flatMap(({ severity, server }) => (severity === 'error' ? (server ?? []) : [])));
  const rank = ({ failure, target }: CheckedServer): number => (failure ? 0 : bad.has(target.label) ? 1 : 2);
  return [...servers].sort((a, b) => rank(a) - rank(b));
}
