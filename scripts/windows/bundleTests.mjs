// @ts-check
// The unit tests as one file that Windows' Node can run: esbuild's own Windows binary doesn't start under Wine.
import { build } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repository } from '../vscode/paths.mjs';
import { allPrograms, bundleProgram } from '../../test/support/bundle.ts';
import { kernelInBundle } from '../kernel.mjs';
import { windowsPath } from './wine.mjs';

/**
 * @param {string} folder takes `tests.cjs` and the programs that tests start
 * @param {readonly string[]} wanted parts of the names of the test files; none for all
 * @returns {Promise<string>} the file for mocha
 */
export async function bundleTests(folder, wanted) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
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
  const outfile = join(folder, 'tests.cjs');
  await bundleForWindows(
    files.map((file) => `import ${JSON.stringify(`./test/${file}`)};`),
    outfile,
  );
  await bundlePrograms(folder);
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
    bundle.onLoad({ filter: /\.(ts|mts|mjs)$/ }, ({ path }) => {
      if (relative(repository, path).startsWith('node_modules')) return undefined;
      const text = readFileSync(path, 'utf8');
      const name = /\b__dirname\b|\bimport\.meta\.dirname\b/g;
      if (!name.test(text)) return undefined;
      const contents = text.replace(name, () => JSON.stringify(windowsPath(dirname(path))));
      return { contents, loader: path.endsWith('.mjs') ? 'js' : 'ts' };
    });
  },
};
