import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { kernelInBundle } from '../../scripts/kernel.mjs';

/** Output folder of benchmark runs; all tools ignore `out/`. */
export const outFolder = 'out/bench';

/** Bundles the subjects like the extension, so that the benchmark measures what ships. */
export async function bundleSubjects(): Promise<void> {
  await build({
    entryPoints: readdirSync('bench/subjects').map((file) => `bench/subjects/${file}`),
    outdir: `${outFolder}/subjects`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    format: 'esm',
    minify: true,
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    plugins: [vscodeStub],
    define: kernelInBundle,
    logLevel: 'warning',
  });
}

/** Bundles the subjects of another checkout, into its own output folder and as its own benchmark does. */
export function bundleOlder(checkout: string): void {
  const program = "void require('./bench/harness/bundle').bundleSubjects();";
  execFileSync(process.execPath, ['--import', 'tsx', '--eval', program], { cwd: checkout, stdio: 'inherit' });
}

/** The extension and the command line of a checkout as they ship. */
export function buildProduction(checkout: string): void {
  execFileSync(process.execPath, ['scripts/build.mjs', '--production'], { cwd: checkout, stdio: 'inherit' });
}

/** Rows of the tree need the module of VS Code. */
const vscodeStub: Plugin = {
  name: 'vscode stub',
  setup(bundling) {
    bundling.onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'stub' }));
    bundling.onLoad({ filter: /./, namespace: 'stub' }, () => ({
      contents: "require('./test/support/vscodeStub'); module.exports = require('node:module')._load('vscode');",
      resolveDir: process.cwd(),
    }));
  },
};
