import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { loadCompiled } from '../../../src/machine/compiledProgram';
import { useFolder } from '../../support/tempFolder';

interface Program {
  readonly path: string;
  readonly version: number;
  readonly other: { readonly main: () => unknown };
}

describe('compiled program', () => {
  let root: string;
  let folder: string;
  let file: string;

  const temp = useFolder();
  beforeEach(() => {
    root = temp.path;
    folder = join(root, 'storage', 'compiled');
    write(1, 'here');
  });

  /** Where else, so that V8 doesn't find the same program of this process. */
  function write(version: number, where: string): void {
    file = join(root, where, 'main.js');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(root, where, 'other.js'), "exports.main = () => require('./main.js');");
    const filler = 'function unused() { return [1, 2, 3].map((n) => n + 1); }\n'.repeat(50);
    const own = `exports.path = __filename; exports.version = ${version}; exports.other = require('./other.js');`;
    writeFileSync(file, filler + own);
  }

  /** Loads it and keeps what was compiled, as a process does. Returns the file in which it is kept. */
  async function load(version: number): Promise<string> {
    const program = loadCompiled(file, folder);
    const exports = program.exports as Program;
    assert.equal(exports.path, file);
    assert.equal(exports.version, version);
    assert.equal(exports.other.main(), exports, 'its other files get the same module');
    const { cache } = createRequire(file);
    for (const path of Object.keys(cache)) if (path.startsWith(root)) Reflect.deleteProperty(cache, path);
    await program.keep();
    const names = readdirSync(folder);
    assert.equal(names.length, 1);
    return join(folder, names[0] ?? '');
  }

  it('is compiled once, and again for another source of the same length', async () => {
    const kept = await load(1);
    const { ino } = statSync(kept);
    assert.equal(statSync(await load(1)).ino, ino);
    write(2, 'here');
    const other = await load(2);
    assert.notEqual(other, kept);
    assert.equal(await load(2), other);
  });

  it('is compiled again if what was kept is damaged, cut, empty, or of another V8', async () => {
    const kept = await load(1);
    const whole = readFileSync(kept);
    const damaged = Buffer.from(whole);
    damaged[damaged.length - 100] = 255 - (damaged[damaged.length - 100] ?? 0);
    const ofAnother = Buffer.from(whole.subarray(32));
    ofAnother[4] = 255 - (ofAnother[4] ?? 0);
    const digest = createHash('sha256').update(ofAnother).digest();
    const signed = Buffer.concat([digest, ofAnother]);
    const kinds = [damaged, whole.subarray(0, whole.length - 8), Buffer.alloc(0), signed];
    for (const [n, bytes] of kinds.entries()) {
      write(1, `there ${n}`);
      writeFileSync(kept, bytes);
      await load(1);
      assert.equal(readFileSync(kept).length, whole.length);
      assert.notDeepEqual(readFileSync(kept), bytes);
    }
  });

  it('loads where nothing can be kept', async () => {
    writeFileSync(join(root, 'storage'), '');
    const program = loadCompiled(file, folder);
    assert.equal((program.exports as Program).version, 1);
    await assert.rejects(program.keep());
  });
});
