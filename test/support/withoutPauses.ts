/** Runs something while timers fire at once, so that retries of a library take no time. */
export async function withoutPauses<T>(work: () => Promise<T>): Promise<T> {
  const real = globalThis.setTimeout;
  globalThis.setTimeout = Object.assign((run: () => void) => real(run), { __promisify__: real.__promisify__ });
  try {
    return await work();
  } finally {
    globalThis.setTimeout = real;
  }
}
