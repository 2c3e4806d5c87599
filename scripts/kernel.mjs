// @ts-check
// Compiles the kernel, which is written in AssemblyScript, once for the build, the tests and the benchmark.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = 'src/kernel/assembly/kernel.ts';
const compiler = 'node_modules/assemblyscript/package.json';
const options = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--use', 'abort='];
const features = ['--enable', 'simd', '--enable', 'bulk-memory'];

/**
 * @returns {Promise<string>} the compiled kernel in base64. It is kept in `out`, by a hash of what it is made from
 */
export async function kernelModule() {
  const hash = createHash('sha256').update(readFileSync(resolve(root, source)));
  hash.update(readFileSync(resolve(root, compiler))).update([...options, ...features].join(' '));
  const kept = resolve(root, 'out', 'kernel', `${hash.digest('hex').slice(0, 16)}.wasm`);
  try {
    return readFileSync(kept, 'base64');
  } catch {
    const module = await compiled();
    mkdirSync(dirname(kept), { recursive: true });
    // Several programs may compile it at once.
    writeFileSync(`${kept}.${process.pid}`, module);
    renameSync(`${kept}.${process.pid}`, kept);
    return Buffer.from(module).toString('base64');
  }
}

/** What esbuild puts into the bundles for the global variable that has the kernel. */
export const kernelInBundle = { agentLogsKernel: JSON.stringify(await kernelModule()) };

/** @returns {Promise<Uint8Array>} */
async function compiled() {
  // Loaded only here: that takes half a second.
  const asc = await import('assemblyscript/asc');
  /** @type {Uint8Array | undefined} */
  let module;
  let messages = '';
  const stderr = { write: (/** @type {unknown} */ text) => void (messages += String(text)) };
  const { error } = await asc.main([source, '-o', 'kernel.wasm', '--baseDir', root, ...options, ...features], {
    stderr,
    writeFile: (name, contents) => {
      if (name === 'kernel.wasm' && typeof contents !== 'string') module = contents;
    },
  });
  if (error || !module) throw new Error(`The kernel doesn't compile.\n${messages}`, { cause: error });
  return module;
}
