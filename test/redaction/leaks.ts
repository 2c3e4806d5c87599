import type { Case } from './cases';

/** Showing this many consecutive characters of a secret counts as a leak. */
const windowLength = 8;

/** The numbers of the cases whose secret, or part of it, is readable in the output, directly or after decoding escapes. */
export function leaks(cases: readonly Case[], output: readonly string[]): ReadonlySet<number> {
  const owners = windowsOf(cases);
  const found = new Set<number>();
  for (const line of output) {
    for (const text of readings(line)) {
      for (let at = 0; at + windowLength <= text.length; at++) {
        const owner = owners.get(text.slice(at, at + windowLength));
        if (owner !== undefined) found.add(owner);
      }
    }
  }
  return found;
}

/** All substrings that are unique to one secret; vendors' prefixes are public. */
function windowsOf(cases: readonly Case[]): ReadonlyMap<string, number> {
  const owners = new Map<string, number>();
  const shared = new Set<string>();
  cases.forEach(({ secret }, index) => {
    for (let at = 0; at + windowLength <= secret.length; at++) {
      const piece = secret.slice(at, at + windowLength);
      const owner = owners.get(piece);
      if (owner === undefined) owners.set(piece, index);
      else if (owner !== index) shared.add(piece);
    }
  });
  for (const piece of shared) owners.delete(piece);
  return owners;
}

/** The line, and all texts that result from decoding JSON and URL escapes repeatedly. */
function readings(line: string): readonly string[] {
  const found = [line];
  for (let text = line; found.length < 8;) {
    const next = decoded(text);
    if (next === text) break;
    found.push(next);
    text = next;
  }
  return found;
}

function decoded(text: string): string {
  return text
    .replace(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\+([/"'])/g, '$1')
    .replace(/%([2-7][0-9a-fA-F])/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
