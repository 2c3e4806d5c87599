import fc from 'fast-check';

/** Fields that may be any JSON. */
export function anyOf<K extends string>(...names: readonly K[]) {
  return Object.fromEntries(names.map((name) => [name, fc.jsonValue()])) as Record<K, fc.Arbitrary<unknown>>;
}
