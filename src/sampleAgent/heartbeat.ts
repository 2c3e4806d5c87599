import type { Clock } from './clock';

/** Often enough to see that the connection lives, seldom enough not to be in the way. */
const periodMs = 10_000;

/** Calls `beat` with its number and the seconds since the start, until the signal is aborted. */
export function startHeartbeat(
  clock: Clock,
  beat: (count: number, uptimeSeconds: number) => void,
  signal: AbortSignal,
): void {
  const startedAt = clock.now().getTime();
  let count = 0;
  clock.every(periodMs, () => beat(++count, Math.round((clock.now().getTime() - startedAt) / 1000)), signal);
}
