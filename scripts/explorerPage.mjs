// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

/** Size limits of the page's code and style sheet, in bytes, minified. */
const pageLimits = { js: 128 * 1024, css: 24 * 1024 };

/** Those of the page that is shared as a file, which answers itself. */
const sharedLimits = { js: 256 * 1024, css: 28 * 1024 };

/**
 * Represents a codicon by the `d` attributes of its paths.
 * @type {import('esbuild').Plugin}
 */
const symbols = {
  name: 'symbols',
  setup(build) {
    build.onLoad({ filter: /\.svg$/ }, ({ path }) => {
      const paths = [...readFileSync(path, 'utf8').matchAll(/ d="([^"]+)"/g)].map(([, d]) => d);
      return { contents: JSON.stringify(paths), loader: 'json' };
    });
  },
};

/**
 * Fails a production build if the page is too large.
 * @type {(limits: { readonly js: number; readonly css: number }) => import('esbuild').Plugin}
 */
const within = (limits) => ({
  name: 'within-limits',
  setup(build) {
    if (build.initialOptions.minify !== true) return;
    build.onEnd(({ metafile }) => {
      const errors = Object.entries(metafile?.outputs ?? {}).flatMap(([path, { bytes }]) => {
        const limit = limits[extname(path) === '.css' ? 'css' : 'js'];
        return bytes > limit ? [{ text: `${path} has ${bytes} bytes; the limit is ${limit}.` }] : [];
      });
      return { errors };
    });
  },
});

/**
 * The page of the Log Explorer, which runs in a webview.
 * @param {boolean} production
 * @returns {import('esbuild').BuildOptions}
 */
export function explorerPage(production) {
  return {
    ...page(production),
    entryPoints: {
      explorer: 'src/explorerPage/main.tsx',
      style: 'src/explorerPage/explorer.css',
      review: 'src/explorerPage/review/main.tsx',
      reviewStyle: 'src/explorerPage/review/review.css',
    },
    outdir: 'dist/explorer',
    plugins: [symbols, within(pageLimits)],
  };
}

/**
 * The page of a shared run, as a module with its `script` and its `style`: the command line as one file has it, too.
 * @param {boolean} production
 * @param {string} folder
 * @returns {import('esbuild').BuildOptions}
 */
export function sharedPage(production, folder = 'dist') {
  return {
    ...page(production),
    entryPoints: { script: 'src/sharedPage/main.tsx', style: 'src/sharedPage/shared.css' },
    outdir: folder,
    write: false,
    target: ['chrome128', 'firefox128'],
    sourcemap: false, // Its policy has a hash of all of it.
    plugins: [symbols, within(sharedLimits), asModule(join(folder, 'sharedPage.js'))],
  };
}

/**
 * Writes a module that exports each output as text, by its name.
 * @type {(path: string) => import('esbuild').Plugin}
 */
const asModule = (path) => ({
  name: 'as-module',
  setup(build) {
    build.onEnd(({ outputFiles = [] }) => {
      const texts = outputFiles.map((file) => [basename(file.path, extname(file.path)), file.text.trim()]);
      writeFileSync(path, `module.exports = ${JSON.stringify(Object.fromEntries(texts))};\n`);
    });
  },
});

/**
 * @param {boolean} production
 * @returns {import('esbuild').BuildOptions}
 */
function page(production) {
  return {
    entryNames: '[name]',
    bundle: true,
    platform: 'browser',
    target: 'chrome128', // VS Code 1.94
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: production,
    sourcemap: production ? false : 'inline',
    logLevel: 'warning',
    metafile: true,
  };
}
