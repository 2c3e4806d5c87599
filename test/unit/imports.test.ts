import * as assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const isSource = (file: string): boolean => /\.tsx?$/.test(file);

describe('imports', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((file) => join('src', file));

  it('have no circles, not even of types', () => {
    const imports = new Map(files.map((file) => [file, importsOf(file)]));
    assert.deepEqual(circles(imports), []);
  });
});

function importsOf(file: string): string[] {
  const paths = readFileSync(file, 'utf8').matchAll(/\b(?:from|import) '(\.[^']+)'/g);
  return [...paths].flatMap(([, path = '']) => {
    const base = join(dirname(file), path);
    return [`${base}.ts`, `${base}.tsx`].filter(existsSync);
  });
}

/** Files that import each other in a loop, one loop at a time: `a → b → a`. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}
