/** Loads once, when it is first needed. Tries again after a failure: an update of the extension may have removed its files for a moment. */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}

/** Makes a value when it is first needed, such as a regular expression whose classes of Unicode take V8 a millisecond. */
export function made<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
