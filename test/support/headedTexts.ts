import { readFileSync } from 'node:fs';

/** The texts of a fixture, each below a line `=== name`. */
export function headedTexts(path: string): readonly (readonly [name: string, text: string])[] {
  const [, ...parts] = readFileSync(path, 'utf8').split(/^===/m);
  return parts.map((part) => [part.slice(0, part.indexOf('\n')).trim(), part.slice(part.indexOf('\n') + 1, -1)]);
}
