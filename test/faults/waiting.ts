import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the condition is true. Returns the elapsed milliseconds, or `undefined` on timeout. */
export async function until(isSo: () => boolean, ms: number): Promise<number | undefined> {
  const start = performance.now();
  while (!isSo()) {
    if (performance.now() - start > ms) return undefined;
    await delay(10);
  }
  return Math.round(performance.now() - start);
}

/** Rejects if the work doesn't finish in time. */
export function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  return Promise.race([
    work,
    delay(ms, undefined, { ref: false }).then(() => {
      throw new Error(`${what} took longer than ${ms} ms`);
    }),
  ]);
}
