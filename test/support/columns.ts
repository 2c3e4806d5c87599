/** One field of each. */
export function column<T, K extends keyof T>(list: Iterable<T>, name: K): T[K][] {
  return Array.from(list, (one) => one[name]);
}

/** Some fields of each as a text, with `-` for a missing one. */
export function rowsOf<T>(list: Iterable<T>, ...names: readonly (keyof T)[]): string[] {
  return Array.from(list, (one) => names.map((name) => String(one[name] ?? '-')).join(' '));
}
