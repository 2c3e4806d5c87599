// @ts-check
// The unit tests as files that Windows' Node can run: esbuild's own Windows binary doesn't start under Wine.
import { build, transform } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repository } from '../vscode/paths.mjs';
import { allPrograms, bundleProgram } from '../../test/support/bundle.ts';
import { kernelInBundle } from '../kernel.mjs';
import { windowsPath } from './wine.mjs';

/**
 * The test files, by the room that they are about.
 * @param {readonly string[]} wanted parts of the names of the test files; none for all
 * @returns {ReadonlyMap<string, readonly string[]>} paths in the folder `test`
 */
export function testRooms(wanted) {
  const files = ['unit', 'diagnosis']
    .flatMap((name) =>
      readdirSync(join(repository, 'test', name), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(name, file),
      ),
    )
    .filter((file) => file.endsWith('.test.ts') && (wanted.length === 0 || wanted.some((part) => file.includes(part))))
    .sort();
  const unused = wanted.filter((part) => !files.some((file) => file.includes(part)));
  if (unused.length > 0) throw new Error(`No test file has ${unused.join(' or ')} in its name.`);
  const folderOf = (/** @type {string} */ file) => file.split('/').slice(0, -1).slice(0, 2).join('/');
  const rooms = new Set(files.map(folderOf));
  return new Map([...rooms].map((room) => [room, files.filter((file) => folderOf(file) === room)]));
}

/**
 * @param {string} folder takes `tests.cjs`
 * @param {readonly string[]} files
 * @returns {Promise<string>} the file for mocha
 */
export async function bundleTests(folder, files) {
  const outfile = join(folder, 'tests.cjs');
  await bundleForWindows(
    files.map((file) => `import ${JSON.stringify(`./test/${file}`)};`),
    outfile,
  );
  return outfile;
}

/**
 * @param {readonly string[]} imports
 * @param {string} outfile
 */
export async function bundleForWindows(imports, outfile) {
  await build({
    stdin: { contents: imports.join('\n'), resolveDir: repository },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    define: kernelInBundle,
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [ownFolders],
  });
}

/**
 * Bundles that tests build themselves on other systems (test/support/bundle.ts).
 * @param {string} folder
 */
export async function bundlePrograms(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of allPrograms) await bundleProgram(name, folder);
}

/**
 * Keeps `__dirname` of each source, although the bundle is in one folder.
 * @type {import('esbuild').Plugin}
 */
const ownFolders = {
  name: 'own-folders',
  setup(bundle) {
    bundle.onLoad({ filter: /\.(ts|mts|mjs)$/ }, async ({ path }) => {
      if (relative(repository, path).startsWith('node_modules')) return undefined;
      const text = readFileSync(path, 'utf8');
      if (!/\b__dirname\b|\bimport\.meta\.dirname\b/.test(text)) return undefined;
      const own = JSON.stringify(windowsPath(dirname(path)));
      // Not by a search: a text may have the same word.
      const { code } = await transform(text, {
        define: { __dirname: own, 'import.meta.dirname': own },
        loader: path.endsWith('.mjs') ? 'js' : 'ts',
        sourcefile: path,
        sourcemap: 'inline',
      });
      return { contents: code, loader: 'js' };
    });
  },
};
