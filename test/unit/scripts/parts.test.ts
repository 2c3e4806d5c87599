import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { divide, inParts } from '../../../scripts/parts.mjs';
import { itWithEsbuild } from '../../support/platform';

interface Program {
  readonly own: object;
  later(): Promise<{ readonly other: object }>;
  heavy(): Promise<{ isBox(value: unknown): boolean; names(): Promise<readonly string[]> }>;
}

const sources = {
  'main.ts': `import { Box } from './box';
    export const own = new Box('own');
    export const later = () => import('./later');
    export const heavy = () => import('./heavy');`,
  'box.ts': `export const all: Box[] = [];
    export class Box { constructor(readonly name: string) { all.push(this); } }`,
  'later.ts': `import { Box } from './box';
    import { names } from './names';
    export const other = new Box('other');
    export { names };`,
  'names.ts': `import { all } from './box';
    import { basename } from 'node:path';
    export const names = () => all.map(({ name }) => basename(name));`,
  'second.ts': `import { Box } from './box';
    new Box('of the second');
    import('./names').then(({ names }) => console.log(names().join()));`,
  'heavy.ts': `import { Box } from './box';
    export const isBox = (value: unknown) => value instanceof Box;
    export const names = async () => (await import('./names')).names();`,
};

describe('parts of the bundle', () => {
  type Inputs = Parameters<typeof divide>[0];
  const kinds = { '': 'import-statement', '?': 'dynamic-import', '!': 'require-call' } as const;

  /** What each module imports: `a`, `b?` dynamically, `c!` by require. */
  const graph = (modules: Readonly<Record<string, string>>): Inputs => {
    const entries = Object.entries(modules).map(([name, text]) => {
      const imports = [...text.matchAll(/(\w+)([?!]?)/g)].map(([, path, mark]) => {
        return { path, kind: kinds[mark as keyof typeof kinds] };
      });
      return [name, { imports }];
    });
    return Object.fromEntries(entries) as Inputs;
  };
  const sorted = (all: ReadonlyMap<string, Iterable<string>>): unknown =>
    Object.fromEntries([...all].map(([part, paths]) => [part, [...paths].sort()]));

  it('contain each module once, and share what other parts import', () => {
    const inputs = graph({ main: 'a b? heavy?', a: '', b: 'a c d?', c: '', d: '', heavy: 'c e', e: '' });
    const others = [{ name: 'l' }, { name: 'h', roots: ['heavy'] }];
    const { partOf, shared } = divide(inputs, { main: 'm', entry: 'main', others });
    assert.deepEqual(Object.fromEntries(partOf), { main: 'm', a: 'm', b: 'l', c: 'l', d: 'l', heavy: 'h', e: 'h' });
    assert.deepEqual(sorted(shared), { m: ['a'], l: ['b', 'c'], h: ['heavy'] });
  });

  it('are loaded when needed by import() or require(), and may leave what they import dynamically to the next', () => {
    const inputs = graph({ main: 'a b!', a: 'd?', b: 'a c e?', c: '', d: 'c', e: '' });
    const others = [{ name: 'r', roots: ['b'], leavesDynamic: true }, { name: 'l' }];
    const { partOf } = divide(inputs, { main: 'm', entry: 'main', others });
    assert.deepEqual(Object.fromEntries(partOf), { main: 'm', a: 'm', b: 'r', c: 'r', d: 'l', e: 'l' });
  });

  it('contain a module in the first part that reaches it', () => {
    const inputs = graph({ main: 'rows? b?', rows: 'c', b: 'c', c: '' });
    const others = [{ name: 'r', roots: ['rows'] }, { name: 'l' }];
    const { partOf, shared } = divide(inputs, { main: 'm', entry: 'main', others });
    assert.deepEqual(Object.fromEntries(partOf), { main: 'm', rows: 'r', c: 'r', b: 'l' });
    assert.deepEqual([...(shared.get('r') ?? [])].sort(), ['c', 'rows']);
  });

  it('share what a second program reaches, which has copies of what it needs of the others', () => {
    const modules = { main: 'a r! l?', a: '', r: 'a b c?', b: '', c: 'a b', l: 'c d', d: '' };
    const inputs = graph({ ...modules, other: 'b c? own', own: 'a' });
    const { partOf, shared, copied } = divide(inputs, {
      main: 'm',
      entry: 'main',
      others: [{ name: 'r', roots: ['r'], leavesDynamic: true }, { name: 'both', ofBoth: true }, { name: 'l' }],
      second: { name: 'second', entry: 'other', shares: ['r', 'both'], banner: '' },
    });
    assert.deepEqual(Object.fromEntries(partOf), { main: 'm', a: 'm', r: 'r', b: 'r', c: 'both', l: 'l', d: 'l' });
    assert.deepEqual(sorted(shared), { m: ['a'], r: ['b', 'r'], both: ['c'], l: ['l'] });
    assert.deepEqual(sorted(copied), { m: ['a'], r: [], both: [], l: [] });
  });

  it('must have roots that are imported', () => {
    const others = [{ name: 'r', roots: ['renamed'] }];
    assert.throws(() => divide({}, { main: 'm', entry: 'main', others }), /renamed/);
  });

  itWithEsbuild('load on first use, with classes and state that exist once', async () => {
    mkdirSync('out', { recursive: true });
    const folder = mkdtempSync('out/parts-');
    try {
      for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
      const [entry, second] = [`${folder}/main.ts`, `${folder}/second.ts`];
      const others = [
        { name: 'both', ofBoth: true },
        { name: 'later' },
        { name: 'heavy', roots: [`${folder}/heavy.ts`] },
      ];
      const shares = { name: 'second', entry: second, shares: ['both'], banner: '' };
      await build({
        ...{ entryPoints: [entry, second], outdir: `${folder}/dist`, supported: { 'dynamic-import': false } },
        ...{ bundle: true, platform: 'node', format: 'cjs', minify: true },
        plugins: [inParts({ main: 'main', entry, others, second: shares })],
      });
      const dist = join(realpathSync(folder), 'dist');
      const load = createRequire(join(dist, 'main.js'));
      const loaded = (): readonly string[] =>
        Object.keys(load.cache).flatMap((path) => (path.startsWith(dist) ? [basename(path)] : []));

      const program = load('./main.js') as Program;
      assert.deepEqual(loaded(), ['main.js']);
      const heavy = await program.heavy();
      assert.deepEqual(loaded(), ['main.js', 'heavy.js']);
      assert.deepEqual(await heavy.names(), ['own']);
      assert.deepEqual(loaded(), ['main.js', 'heavy.js', 'both.js']);
      const { other } = await program.later();
      assert.ok(heavy.isBox(other) && heavy.isBox(program.own));
      assert.deepEqual(await heavy.names(), ['own', 'other']);

      const printed = execFileSync(process.execPath, [join(dist, 'second.js')], { encoding: 'utf8' });
      assert.equal(printed, 'of the second\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
