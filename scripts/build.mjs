// Bundles the extension and the sample agent into dist/, and with --tests the suites that run inside VS Code into out/.
// Flags: --production (minified, no source maps), --tests, --watch.
import { context } from 'esbuild';
import { readdirSync } from 'node:fs';

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
  legalComments: 'linked',
};

/** @type {import('esbuild').BuildOptions[]} */
const builds = [
  { ...common, entryPoints: { extension: 'src/extension.ts' }, outdir: 'dist' },
  { ...common, entryPoints: { sampleAgent: 'src/sampleAgent/main.ts' }, outdir: 'dist' },
];

if (process.argv.includes('--tests')) {
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

for (const options of builds) {
  const built = await context(options);
  await built.rebuild();
  if (watch) await built.watch();
  else await built.dispose();
}
