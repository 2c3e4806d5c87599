// Bundles the extension and the sample agent into dist/, and with --tests the suites that run inside VS Code into out/.
// Flags: --production (minified, no source maps), --tests, --watch.
import { context } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import { writeLicenses } from './licenses.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: production,
  sourcemap: !production,
  external: ['vscode'],
  logLevel: 'warning',
  metafile: true,
};

/** @type {import('esbuild').BuildOptions[]} */
const builds = [
  { ...common, entryPoints: { extension: 'src/extension.ts' }, outdir: 'dist' },
  { ...common, entryPoints: { sampleAgent: 'src/sampleAgent/main.ts' }, outdir: 'dist' },
];

if (process.argv.includes('--tests')) {
  rmSync('out', { recursive: true, force: true }); // a suite that was deleted must not run
  const suites = readdirSync('test/suites', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  builds.push({
    ...common,
    minify: false,
    sourcemap: 'inline',
    entryPoints: suites.map((file) => `test/suites/${file}`),
    outbase: 'test/suites',
    outdir: 'out/suites',
    // One copy each of what keeps state between files, from node_modules.
    external: ['vscode', 'mocha', 'playwright-core'],
  });
}

/** Tells the editor's task when it may go on: see .vscode/tasks.json. */
const announce = {
  name: 'announce',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onStart(() => console.log('[build] begins'));
    build.onEnd(() => console.log('[build] ends'));
  },
};

/** @type {string[]} */
const inputs = [];
for (const options of builds) {
  const built = await context(watch ? { ...options, plugins: [announce] } : options);
  const { metafile } = await built.rebuild();
  inputs.push(...Object.keys(metafile?.inputs ?? {}));
  if (watch) await built.watch();
  else await built.dispose();
}
if (production) writeLicenses(inputs, 'dist/THIRD_PARTY_LICENSES.txt');
