import { build } from 'esbuild';
import { readdirSync } from 'node:fs';

/** Where all that a run of the benchmark makes is; `out/` is ignored by all tools. */
export const outFolder = 'out/bench';

/** Bundles the subjects as the extension is bundled: what ships is what is measured. */
export async function bundleSubjects(): Promise<void> {
  await build({
    entryPoints: readdirSync('bench/subjects').map((file) => `bench/subjects/${file}`),
    outdir: `${outFolder}/subjects`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minify: true,
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
