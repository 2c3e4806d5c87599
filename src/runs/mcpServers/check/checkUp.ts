import type { CheckedServer, CheckOptions } from './checkServer';
import { checkServer } from './checkServer';
import { Cancelled } from '../../waiting';
import type { CheckTarget } from './checkTarget';
import { checkTools } from './rules/checkTools';
import type { Finding } from './rules/finding';

/** What was found out about servers. */
export interface CheckUp {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly servers: readonly CheckedServer[];
  readonly findings: readonly Finding[];
}

/** The usual time-out of a server, in milliseconds: `npx` may have to download it first. */
export const checkTimeout = 60_000;
/** How many servers are started at a time. */
const atOnce = 16;

/**
 * Checks servers, many at a time.
 * @param onChecked called after each
 * @throws Cancelled once all have ended
 */
export async function checkUp(
  targets: readonly CheckTarget[],
  options: CheckOptions,
  signal: AbortSignal,
  onChecked: (server: CheckedServer) => void = () => undefined,
): Promise<CheckUp> {
  const checked = new Map<CheckTarget, CheckedServer>();
  const waiting = [...targets];
  const work = async (): Promise<void> => {
    for (let target = waiting.shift(); target; target = waiting.shift()) {
      const server = await checkServer(target, options, signal);
      checked.set(target, server);
      onChecked(server);
    }
  };
  const workers = await Promise.allSettled(targets.slice(0, atOnce).map(work));
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (signal.aborted) throw new Cancelled();
  if (failed) throw failed.reason;
  const servers = targets.flatMap((target) => checked.get(target) ?? []);
  const findings = checkTools(
    servers.map(({ target: { name, clients }, tools, instructions }) => ({
      name,
      clients: clients.map(({ id }) => id),
      tools,
      ...(instructions !== undefined && { instructions }),
    })),
  );
  return { at: Date.now(), servers, findings };
}
