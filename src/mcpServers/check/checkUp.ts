import { Cancelled } from '../../time/waiting';
import type { UnreadableConfig } from '../configuredServers';
import type { CheckedServer } from './checkedServer';
import type { CheckOptions } from './checkServer';
import { checkServer } from './checkServer';
import type { CheckTarget } from './checkTarget';
import { knownServer } from './knownServer';
import { pastCalls } from './pastCalls';
import type { Recordings } from './recordings';
import { checkTools } from './rules/checkTools';
import type { Finding } from './rules/finding';

/** What was found out about servers. */
export interface CheckUp {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Those that failed first. */
  readonly servers: readonly CheckedServer[];
  readonly findings: readonly Finding[];
  /** Files that may have more servers. */
  readonly unreadable: readonly UnreadableConfig[];
}

export interface CheckUpOptions extends CheckOptions {
  /** Runs of the servers, from which more is known. */
  readonly recordings?: Pick<Recordings, 'of'>;
}

/** The usual time-out of a server, in milliseconds: `npx` may have to download it first. */
export const checkTimeout = 60_000;
/** How many servers are started at a time. */
const atOnce = 16;

/**
 * Checks servers, many at a time. Those that are running are read from their recordings.
 * @param onChecked called after each
 * @throws Cancelled once all have ended
 */
export async function checkUp(
  targets: readonly CheckTarget[],
  options: CheckUpOptions,
  signal: AbortSignal,
  onChecked: (server: CheckedServer) => void = () => undefined,
): Promise<CheckUp> {
  const { recordings } = options;
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
  const work = async (): Promise<void> => {
    for (let target = waiting.shift(); target && !signal.aborted; target = waiting.shift()) {
      const server = await checkServer(target, options, signal);
      checked.set(target, server);
      onChecked(server);
    }
  };
  const past = Promise.all(targets.map(async (target) => [target, await pastCalls(runsOf(target))] as const));
  const workers = await Promise.allSettled(waiting.slice(0, atOnce).map(work));
  const calls = new Map(await past);
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (signal.aborted) throw new Cancelled();
  if (failed) throw failed.reason;
  const servers = targets.flatMap((target) => {
    const [server, own] = [checked.get(target), calls.get(target)];
    return server ? [{ ...server, ...(own && { past: own }) }] : [];
  });
  const findings = checkTools(
    servers.map(({ target: { name, label, clients }, tools, instructions, past: own }) => ({
      name,
      label,
      clients: clients.map(({ id }) => id),
      tools,
      ...(instructions !== undefined && { instructions }),
      ...(own && { past: own.tools }),
    })),
  );
  return { at: Date.now(), servers: [...servers].sort(failedFirst), findings, unreadable: [] };
}

function failedFirst(a: CheckedServer, b: CheckedServer): number {
  return Number(b.failure !== undefined) - Number(a.failure !== undefined);
}
