// @ts-check
// Makes the kernel once for the build, the tests and the benchmark: compiles it, which is written in AssemblyScript, and fills the tables that its memory begins with.
import { buildSync } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

// The bundle for Windows keeps only this name of a source's folder.
const root = resolve(import.meta.dirname, '..');
const source = 'src/kernel/assembly/kernel.ts';
const compiler = 'node_modules/assemblyscript';
const options = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--use', 'abort=', '--enable', 'simd'];

/** @returns {import('../src/kernel/kernel').BuiltKernel} */
function builtKernel() {
  const module = kept('wasm', [source, join(compiler, 'package.json')], compile);
  const tables = kept('tables', [...filesIn('src/kernel'), ...filesIn('src/redact')], fillTables);
  return { module: module.toString('base64'), tables: tables.toString('base64') };
}

/**
 * Keeps what is made in `out`, by a hash of what it is made from.
 * @param {string} extension
 * @param {readonly string[]} from paths
 * @param {(out: string) => void} make
 */
function kept(extension, from, make) {
  const hash = createHash('sha256').update(options.join(' '));
  for (const path of from) hash.update(readFileSync(join(root, path)));
  const path = join(root, 'out', 'kernel', `${hash.digest('hex').slice(0, 16)}.${extension}`);
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    // Several programs may make it at once.
    const own = `${path}.${process.pid}.${extension}`;
    make(own);
    renameSync(own, path);
  }
  return readFileSync(path);
}

/** @param {string} out */
function compile(out) {
  execFileSync(process.execPath, [
    join(root, compiler, 'bin/asc.js'),
    source,
    '-o',
    out,
    '--baseDir',
    root,
    ...options,
  ]);
}

/** @param {string} out */
function fillTables(out) {
  const contents = `
    import { writeFileSync } from 'node:fs';
    import { kernelTables } from './src/kernel/tables';
    import { sought } from './src/redact/sought';
    writeFileSync(${JSON.stringify(out)}, kernelTables(sought()));`;
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    write: false,
  });
  execFileSync(process.execPath, ['-'], { input: outputFiles[0]?.contents });
}

/** @param {string} folder */
function filesIn(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .sort();
}

export const kernel = builtKernel();

/** Each variable that has a part of the kernel. */
export const kernelVariables = { agentLogsKernel: kernel.module, agentLogsKernelTables: kernel.tables };

/** What esbuild puts into the bundles for them. */
export const kernelInBundle = Object.fromEntries(
  Object.entries(kernelVariables).map(([name, value]) => [name, JSON.stringify(value)]),
);
