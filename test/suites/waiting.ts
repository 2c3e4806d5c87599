/** A busy machine takes a second for what takes milliseconds on an idle one. */
export const timeoutMs = 45_000;

/** Reads again and again until the value is accepted, for changes without an event. */
export function poll<T>(read: () => T | Promise<T>): { until(accept: (value: T) => boolean): Promise<T> } {
  return {
    until: async (accept) => {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const value = await read();
        if (accept(value)) return value;
        if (Date.now() > deadline) {
          throw new Error(`Timed out after ${timeoutMs / 1000} s. Last value: ${JSON.stringify(value)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/** The same until there is a value that isn't false. */
export async function eventually<T>(read: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  const value = await poll(read).until((one) => one !== undefined && one !== false);
  return value as Exclude<T, undefined | false>;
}
