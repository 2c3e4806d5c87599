// @ts-check
import { readFileSync } from 'node:fs';

/** Most bytes of the page's code and of its style sheet, minified. */
export const pageLimits = { js: 120 * 1024, css: 15 * 1024 };

/**
 * A symbol of VS Code's is the `d` attributes of its paths.
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
    target: 'chrome128', // of VS Code 1.94
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: production,
    sourcemap: production ? false : 'inline',
    logLevel: 'warning',
    metafile: true,
    plugins: [symbols],
  };
}
