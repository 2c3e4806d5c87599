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

  it('open files to read them only where what is read gets redacted, or is never shown', () => {
    const readsFiles =
      /import \{[^}]*\b(?:open|openSync|createReadStream|readFile|readFileSync)\b[^}]*\} from 'node:fs|import \{ FileSource \}|'node:readline'/;
    const found = files
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /^src\/(?:runs|ui)\//.test(file) && readsFiles.test(readFileSync(file, 'utf8')))
      .filter((file) => !mayRead.some((known) => file.startsWith(known)));
    assert.deepEqual(found, [], 'use linesOf, linesAt or contentOf of runs/files/runLines.ts');
  });
});

/** Lowest first. Folders that aren't listed stand apart. */
const floors = ['log', 'wire', 'work', 'agents protocols', 'diagnosis timeline', 'runs', 'ui'];

function floorOf(file: string): number {
  const [, folder = ''] = file.split(/[\\/]/);
  const floor = floors.findIndex((folders) => folders.split(' ').includes(folder));
  return floor < 0 ? floors.length : floor;
}

/** What may open files in `runs` and `ui`. */
const mayRead = [
  'src/past/files/runLines.ts',
  'src/past/files/followFile.ts', // gives its lines to a `LogReader`, which needs a redactor
  'src/machine/wholeFile.ts', // small files of our own
  'src/export/exportFile.ts', // writes
  'src/export/exportRun.ts', // tests whether the files can be read
  'src/runs/saved/', // gives its lines to a `LogReader`, its titles to a redactor
  'src/search/textScan.ts', // finds places; `contextOf` redacts what is shown of them
  'src/runs/process/', // programs
  'src/live/config/tapPatterns.ts', // the user's patterns
  'src/mcpServers/configText.ts', // settings of clients; secrets in them aren't shown
];

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
