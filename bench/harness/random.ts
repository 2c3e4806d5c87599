/** Numbers from 0 to 1 that are the same for the same seed (Park and Miller's generator). */
export function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
