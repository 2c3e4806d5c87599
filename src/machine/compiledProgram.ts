import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import Module, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { makeFolder } from './makeFolder';
import { replaceFile } from './wholeFile';

const digestBytes = 32;

export interface CompiledProgram {
  readonly exports: unknown;
  /**
   * Keeps what V8 has compiled by now for the next process, unless this one got it that way, and removes what is kept of other versions.
   * @throws whatever the file system reports
   */
  keep(): Promise<void>;
}

/**
 * Loads a program like `require(file)`, without compiling what another process has: that is kept in `folder`, by what it was made from. V8
 * looks at its own version and flags, but at no damage, so a digest is kept with it.
 * @param file CommonJS, in ASCII
 */
export function loadCompiled(file: string, folder: string): CompiledProgram {
  const source = readFileSync(file);
  const kept = join(folder, `${digestOf(process.versions.v8, process.arch, source).toString('hex')}.bin`);
  const cachedData = readKept(kept);
  const text = `(function (exports, require, module, __filename, __dirname) {${source.toString('latin1')}\n})`;
  const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) });
  const run = script.runInThisContext() as (...globals: readonly unknown[]) => void;
  const module = new Module(file);
  const require = createRequire(file);
  // Other files of the program require this one by its name.
  require.cache[file] = module;
  run(module.exports, require, module, file, dirname(file));
  module.loaded = true;
  const isUsed = cachedData !== undefined && script.cachedDataRejected !== true;
  return {
    exports: module.exports as unknown,
    keep: async () => {
      if (!isUsed) await keep(kept, script.createCachedData());
    },
  };
}

function digestOf(...parts: readonly (string | Uint8Array)[]): Buffer {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
}

function readKept(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const data = bytes.subarray(digestBytes);
    return digestOf(data).equals(bytes.subarray(0, digestBytes)) ? data : undefined;
  } catch {
    return undefined; // a first start, or a folder that can't be read
  }
}

async function keep(path: string, data: Buffer): Promise<void> {
  await makeFolder(dirname(path));
  await replaceFile(path, (temporary) => writeFile(temporary, Buffer.concat([digestOf(data), data]), { mode: 0o600 }));
  for (const name of await readdir(dirname(path))) {
    if (name.endsWith('.bin') && name !== basename(path)) await rm(join(dirname(path), name), { force: true });
  }
}
