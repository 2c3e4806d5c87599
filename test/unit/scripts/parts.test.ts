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
  const input = (...imports: readonly (readonly [path: string, kind: string])[]): object => ({
    imports: imports.map(([path, kind]) => ({ path, kind })),
  });

  it('contain each module once, and share what other parts import', () => {
    const inputs = {
      main: input(['a', 'import-statement'], ['b', 'dynamic-import'], ['heavy', 'dynamic-import']),
      a: input(),
      b: input(['a', 'import-statement'], ['c', 'import-statement'], ['d', 'dynamic-import']),
      c: input(),
      d: input(),
      heavy: input(['c', 'import-statement'], ['e', 'import-statement']),
      e: input(),
    } as unknown as Parameters<typeof divide>[0];
    const { partOf, shared } = divide(inputs, {
      main: 'm',
      entry: 'main',
      others: [{ name: 'l' }, { name: 'h', roots: ['heavy'] }],
    });
    assert.deepEqual(Object.fromEntries(partOf), { main: 'm', a: 'm', b: 'l', c: 'l', d: 'l', heavy: 'h', e: 'h' });
    const lists = [...shared].map(([part, paths]) => [part, [...paths].sort()]);
    assert.deepEqual(lists, [
      ['m', ['a']],
      ['l', ['b', 'c']],
      ['h', ['heavy']],
    ]);
  });

  it('are loaded when needed by import() or require(), and may leave what they import dynamically to the next', () => {
    const inputs = {
      main: input(['a', 'import-statement'], ['b', 'require-call']),
      a: input(['d', 'dynamic-import']),
      b: input(['a', 'import-statement'], ['c', 'import-statement'], ['e', 'dynamic-import']),
      c: input(),
      d: input(['c', 'import-statement']),
      e: input(),
    } as unknown as Parameters<typeof divide>[0];
    const { partOf } = divide(inputs, {
      main: 'm',
      entry: 'main',
      others: [{ name: 'r', roots: ['b'], leavesDynamic: true }, { name: 'l' }],
    });
    assert.deepEqual(Object.fromEntries(partOf), { main: 'm', a: 'm', b: 'r', c: 'r', d: 'l', e: 'l' });
  });

  it('contain a module in the first part that reaches it', () => {
    const inputs = {
      main: input(['rows', 'dynamic-import'], ['b', 'dynamic-import']),
      rows: input(['c', 'import-statement']),
      b: input(['c', 'import-statement']),
      c: input(),
    } as unknown as Parameters<typeof divide>[0];
    const others = [{ name: 'r', roots: ['rows'] }, { name: 'l' }];
    const { partOf, shared } = divide(inputs, { main: 'm', entry: 'main', others });
    assert.deepEqual(Object.fromEntries(partOf), { main: 'm', rows: 'r', c: 'r', b: 'l' });
    assert.deepEqual([...(shared.get('r') ?? [])].sort(), ['c', 'rows']);
  });

  it('share what a second program reaches, which has copies of what it needs of the others', () => {
    const inputs = {
      main: input(['a', 'import-statement'], ['r', 'require-call'], ['l', 'dynamic-import']),
      a: input(),
      r: input(['a', 'import-statement'], ['b', 'import-statement'], ['c', 'dynamic-import']),
      b: input(),
      c: input(['a', 'import-statement'], ['b', 'import-statement']),
      l: input(['c', 'import-statement'], ['d', 'import-statement']),
      d: input(),
      other: input(['b', 'import-statement'], ['c', 'dynamic-import'], ['own', 'import-statement']),
      own: input(['a', 'import-statement']),
    } as unknown as Parameters<typeof divide>[0];
    const { partOf, shared, copied } = divide(inputs, {
      main: 'm',
      entry: 'main',
      others: [{ name: 'r', roots: ['r'], leavesDynamic: true }, { name: 'both', ofBoth: true }, { name: 'l' }],
      second: { name: 'second', entry: 'other', shares: ['r', 'both'], banner: '' },
    });
    assert.deepEqual(Object.fromEntries(partOf), { main: 'm', a: 'm', r: 'r', b: 'r', c: 'both', l: 'l', d: 'l' });
    const lists = (all: typeof shared): unknown =>
      Object.fromEntries([...all].map(([part, paths]) => [part, [...paths].sort()]));
    assert.deepEqual(lists(shared), { m: ['a'], r: ['b', 'r'], both: ['c'], l: ['l'] });
    assert.deepEqual(lists(copied), { m: ['a'], r: [], both: [], l: [] });
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
      await build({
        entryPoints: [entry, second],
        outdir: `${folder}/dist`,
        bundle: true,
        platform: 'node',
        format: 'cjs',
        minify: true,
        supported: { 'dynamic-import': false },
        plugins: [
          inParts({
            main: 'main',
            entry,
            others: [
              { name: 'both', ofBoth: true },
              { name: 'later' },
              { name: 'heavy', roots: [`${folder}/heavy.ts`] },
            ],
            second: { name: 'second', entry: second, shares: ['both'], banner: '' },
          }),
        ],
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
