import * as assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { roomOf, rooms, wrongImport } from '../../scripts/rooms.mjs';

const isSource = (file: string): boolean => /\.tsx?$/.test(file);

describe('imports', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((file) => join('src', file));

  it('have no circles, not even of types', () => {
    const imports = new Map(files.map((file) => [file, importsOf(file)]));
    assert.deepEqual(circles(imports), []);
  });

  it('know the rooms by their table', () => {
    const found = new Set(files.flatMap((file) => roomOf(resolve(file)) ?? []));
    assert.deepEqual([...found].sort(), Object.keys(rooms).sort());
  });

  it('are refused if they go up, to a room beside, or to a package that is no business of the room', () => {
    const from = resolve('src/past/files/fileRun.ts');
    const refused = ['../../ui/kit/notify', '../../live/run', 'vscode', 'preact'];
    const allowed = ['../../runLog/runLog', './runLines', 'node:fs'];
    assert.deepEqual(
      [...refused, ...allowed].filter((module) => wrongImport(from, module) !== undefined),
      refused,
    );
  });

  it('open files to read them only where what is read gets redacted, or is never shown', () => {
    const readsFiles =
      /import \{[^}]*\b(?:open|openSync|createReadStream|readFile|readFileSync)\b[^}]*\} from 'node:fs|import \{ FileSource \}|'node:readline'/;
    const found = files
      .map((file) => file.replaceAll('\\', '/'))
      .filter(
        (file) => !/^src\/(?:cli|machine|wire|sampleAgent)\//.test(file) && readsFiles.test(readFileSync(file, 'utf8')),
      )
      .filter((file) => !mayRead.some((known) => file.startsWith(known)));
    assert.deepEqual(found, [], 'use linesOf, linesAt or contentOf of past/files/runLines.ts');
  });
});

/** What may open files. */
const mayRead = [
  'src/past/files/runLines.ts',
  'src/past/files/followFile.ts', // gives its lines to a `LogReader`, which needs a redactor
  'src/export/exportFile.ts', // writes
  'src/export/exportRun.ts', // tests whether the files can be read
  'src/past/saved/', // gives its lines to a `LogReader`, its titles to a redactor
  'src/otlp/engine/sentMemory.ts', // numbers
  'src/search/textScan.ts', // finds places; `contextOf` redacts what is shown of them
  'src/live/process/', // programs
  'src/live/config/settingsFile.ts', // the user's patterns
  'src/mcpServers/configText.ts', // settings of clients; secrets in them aren't shown
];

function specifiersOf(file: string): string[] {
  return [
    ...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'\n]* from '([^'\n]+)'|^\} from '([^'\n]+)'/gm),
  ].map(([, line, end]) => line ?? end ?? '');
}

function importsOf(file: string): string[] {
  return specifiersOf(file).flatMap((path) => {
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
