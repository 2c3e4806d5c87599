import type { BuildOptions } from 'esbuild';
import { build } from 'esbuild';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { alias } from '../../scripts/extension.mjs';
import { kernelInBundle } from '../../scripts/kernel.mjs';

const forNode = {
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  alias,
  define: kernelInBundle,
} satisfies BuildOptions;
const programs = {
  cli: { ...forNode, entry: 'src/cli/main.ts' },
  sampleAgent: { ...forNode, entry: 'src/sampleAgent/main.ts' },
} satisfies Record<string, BuildOptions & { entry: string }>;

export type Program = keyof typeof programs;
export const allPrograms = Object.keys(programs) as Program[];

/**
 * Bundles one of the project's programs like the production build, into `<name>.js`, or copies what `npm run test:unit` bundled for all
 * files, and `npm run test:windows` for Wine, where esbuild doesn't start.
 */
export async function bundleProgram(name: Program, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.js`);
  const prebuilt = process.env['AGENT_LOGS_BUNDLES'];
  if (prebuilt !== undefined) {
    await copyFile(join(prebuilt, `${name}.js`), outfile);
    return outfile;
  }
  const { entry, ...options } = programs[name];
  await build({ ...options, entryPoints: [resolve(entry)], outfile, bundle: true, format: 'cjs', logLevel: 'error' });
  return outfile;
}
