// Bundles the extension in parts, the command line, the explorer's page and the sample agent into dist/, and with --tests the suites that run inside VS Code into out/.
// Flags: --production (minified, no source maps), --tests, --watch.
import { context } from 'esbuild';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { explorerPage, sharedPage } from './explorerPage.mjs';
import { extension } from './extension.mjs';
import { thirdPartyLicenses } from './licenses.mjs';

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
  { ...common, ...extension, outdir: 'dist' },
  { ...common, entryPoints: { start: 'src/start.ts' }, outdir: 'dist' },
  explorerPage(production),
  sharedPage(production),
  { ...common, entryPoints: { sampleAgent: 'src/sampleAgent/main.ts' }, outdir: 'dist' },
];

if (process.argv.includes('--tests')) {
  rmSync('out', { recursive: true, force: true }); // deleted suites must not run
  const suites = readdirSync('test/suites', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  builds.push({
    ...common,
    minify: false,
    mainFields: ['module', 'main'],
    sourcemap: 'inline',
    entryPoints: suites.map((file) => `test/suites/${file}`),
    outbase: 'test/suites',
    outdir: 'out/suites',
    // One copy each of packages that keep state, from node_modules.
    external: ['vscode', 'mocha', 'playwright-core'],
  });
}

/** Prints what the problem matcher in .vscode/tasks.json waits for. */
const announce = {
  name: 'announce',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onStart(() => console.log('[build] begins'));
    build.onEnd(() => console.log('[build] ends'));
  },
};

// Production builds start from an empty folder, so that nothing of an earlier build is packaged.
if (production) rmSync('dist', { recursive: true, force: true });

/** @type {import('esbuild').Metafile[]} */
const metafiles = [];
for (const options of builds) {
  const built = await context(watch ? { ...options, plugins: [...(options.plugins ?? []), announce] } : options);
  const { metafile } = await built.rebuild();
  if (metafile) metafiles.push(metafile);
  if (watch) await built.watch();
  else await built.dispose();
}
if (production) writeFileSync('dist/THIRD_PARTY_LICENSES.txt', thirdPartyLicenses(metafiles));
