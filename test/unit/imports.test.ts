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

  it('go down the floors', () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => floorOf(target) > floorOf(file))
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(upward, []);
  });
});

/** Lowest first. Folders that aren't listed stand apart. */
const floors = ['log', 'wire', 'work', 'agents protocols', 'diagnosis timeline', 'runs', 'ui'];

function floorOf(file: string): number {
  const [, folder = ''] = file.split(/[\\/]/);
  const floor = floors.findIndex((folders) => folders.split(' ').includes(folder));
  return floor < 0 ? floors.length : floor;
}

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
