// Bundles the extension, the libraries it loads later and the sample agent into dist/, and with --tests the suites that run inside VS Code into out/.
// Flags: --production (minified, no source maps), --tests, --watch.
import { context, transform } from 'esbuild';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { joined, loadedWith, withParts } from './joinParts.mjs';
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

/**
 * What is loaded when it is first used stands in a file of its own beside the extension.
 * @type {import('esbuild').Plugin}
 */
const loadedLater = {
  name: 'loaded-later',
  setup(build) {
    build.onResolve({ filter: /\/mcpLibrary$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './mcpLibrary.js', external: true } : undefined,
    );
    build.onResolve({ filter: /\/otlpSender$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './otlp.js', external: true } : undefined,
    );
  },
};

/** @type {import('esbuild').TransformOptions} */
const commonJs = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: production,
  sourcemap: production ? false : 'inline',
  supported: { 'dynamic-import': false }, // require() finds the file wherever the extension is
};

/**
 * esbuild parts a program only as ES modules, which extension hosts do not load before VS Code 1.100: each file is made CommonJS by itself.
 * What several of them need stands in one file, so that a class is the same in all.
 * @type {import('esbuild').Plugin}
 */
const inParts = {
  name: 'in-parts',
  setup(build) {
    Object.assign(build.initialOptions, {
      format: 'esm',
      splitting: true,
      chunkNames: 'part-[name]-[hash]',
      write: false,
    });
    if (!production) build.initialOptions.sourcemap = 'inline';
    build.onEnd(async ({ outputFiles = [], metafile }) => {
      const files = Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
      const main = 'extension.js';
      // While it is worked on, each keeps the map to its source.
      const together = production && metafile ? loadedWith(metafile, main) : new Set();
      mkdirSync('dist', { recursive: true });
      if (production) writeFileSync(join('dist', main), await joined(files, main, together, commonJs));
      for (const [name, text] of Object.entries(files)) {
        if (together.has(name)) continue;
        const { code } = await transform(text, commonJs);
        writeFileSync(join('dist', name), withParts(code, main, together));
      }
    });
  },
};

/** @type {import('esbuild').BuildOptions[]} */
const builds = [
  {
    ...common,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    plugins: [loadedLater, inParts],
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' }, // its other form loads its parts by names that cannot be bundled
  },
  {
    ...common,
    entryPoints: { mcpLibrary: 'src/runs/mcp/mcpLibrary.ts' },
    outdir: 'dist',
    alias: { '@modelcontextprotocol/client/_shims': './scripts/mcpShims.mjs' },
  },
  {
    ...common,
    entryPoints: { otlp: 'src/runs/otlp/otlpSender.ts' },
    outdir: 'dist',
    mainFields: ['module', 'main'], // ES modules can be tree-shaken
    supported: { 'dynamic-import': false }, // VS Code's proxy settings apply to require('http'), not to import('http')
  },
  { ...common, entryPoints: { web: 'src/web.ts' }, outdir: 'dist', platform: 'browser', target: 'es2022' },
  { ...common, entryPoints: { sampleAgent: 'src/sampleAgent/main.ts' }, outdir: 'dist' },
  { ...common, entryPoints: { cli: 'src/tap/main.ts' }, outdir: 'dist', banner: { js: '#!/usr/bin/env node' } },
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

// Their names change with what is in them.
if (existsSync('dist')) for (const file of readdirSync('dist')) if (file.startsWith('part-')) rmSync(`dist/${file}`);
// What ships owes nothing to an earlier build, not even a mode.
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
