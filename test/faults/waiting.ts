import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something is so; answers after how many milliseconds, or `undefined` if it never was. */
export async function until(isSo: () => boolean, ms: number): Promise<number | undefined> {
  const start = performance.now();
  while (!isSo()) {
    if (performance.now() - start > ms) return undefined;
    await delay(10);
  }
  return Math.round(performance.now() - start);
}

/** The result of work that must not hang. */
export function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  return Promise.race([
    work,
    delay(ms, undefined, { ref: false }).then(() => {
      throw new Error(`${what} took longer than ${ms} ms`);
    }),
  ]);
}
