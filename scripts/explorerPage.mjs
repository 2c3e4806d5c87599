// @ts-check
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

/** Size limits of the page's code and style sheet, in bytes, minified. */
const pageLimits = { js: 128 * 1024, css: 24 * 1024 };

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
 * @type {import('esbuild').Plugin}
 */
const withinLimits = {
  name: 'within-limits',
  setup(build) {
    if (build.initialOptions.minify !== true) return;
    build.onEnd(({ metafile }) => {
      const errors = Object.entries(metafile?.outputs ?? {}).flatMap(([path, { bytes }]) => {
        const limit = pageLimits[extname(path) === '.css' ? 'css' : 'js'];
        return bytes > limit ? [{ text: `${path} has ${bytes} bytes; the limit is ${limit}.` }] : [];
      });
      return { errors };
    });
  },
};

/**
 * The page of the Log Explorer, which runs in a webview.
 * @param {boolean} production
 * @returns {import('esbuild').BuildOptions}
 */
export function explorerPage(production) {
  return {
    entryPoints: { explorer: 'src/explorerPage/main.tsx', style: 'src/explorerPage/explorer.css' },
    outdir: 'dist/explorer',
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
    plugins: [symbols, withinLimits],
  };
}
