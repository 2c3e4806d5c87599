// @ts-check
// Compiles the kernel, which is written in AssemblyScript, once for the build, the tests and the benchmark.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = 'src/kernel/assembly/kernel.ts';
const compiler = 'node_modules/assemblyscript';
const options = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--use', 'abort=', '--enable', 'simd'];

/** @returns {string} the compiled kernel in base64. It is kept in `out`, by a hash of what it is made from */
export function kernelModule() {
  const hash = createHash('sha256').update(options.join(' '));
  for (const path of [source, join(compiler, 'package.json')]) hash.update(readFileSync(join(root, path)));
  const kept = join(root, 'out', 'kernel', `${hash.digest('hex').slice(0, 16)}.wasm`);
  if (!existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true });
    // Several programs may compile it at once.
    const own = `${kept}.${process.pid}.wasm`;
    execFileSync(process.execPath, [
      join(root, compiler, 'bin/asc.js'),
      source,
      '-o',
      own,
      '--baseDir',
      root,
      ...options,
    ]);
    renameSync(own, kept);
  }
  return readFileSync(kept, 'base64');
}

/** What esbuild puts into the bundles for the variable that holds the kernel. */
export const kernelInBundle = { agentLogsKernel: JSON.stringify(kernelModule()) };
