/** Deterministic random numbers from 0 to 1 (Park–Miller). */
export function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
