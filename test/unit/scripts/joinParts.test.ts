import assert from 'node:assert/strict';
import { compileFunction } from 'node:vm';
import { loadedWith, joined, withParts } from '../../../scripts/joinParts.mjs';

const files = {
  'main.js':
    "import { Box } from './part-a.js'; export const own = new Box(); export const later = () => import('./part-b.js');",
  'part-a.js': 'export class Box {}',
  'part-b.js': "import { Box } from './part-a.js'; export const other = new Box();",
};

/** Runs CommonJS, with these files to require. */
function run(code: string, require: (name: string) => unknown): Record<string, unknown> {
  const module = { exports: {} as Record<string, unknown> };
  const load = compileFunction(code, ['module', 'exports', 'require']) as (...args: readonly unknown[]) => void;
  load(module, module.exports, require);
  return module.exports;
}

describe('the parts of the bundle', () => {
  it('are those that are loaded at once, and those that are not', () => {
    const outputs = {
      'dist/main.js': { imports: [part('a', 'import-statement'), part('b', 'dynamic-import')] },
      'dist/part-a.js': { imports: [part('c', 'import-statement')] },
      'dist/part-b.js': { imports: [] },
      'dist/part-c.js': { imports: [part('a', 'import-statement')] },
    };
    const metafile = { inputs: {}, outputs } as unknown as Parameters<typeof loadedWith>[0];
    assert.deepEqual([...loadedWith(metafile, 'main.js')], ['main.js', 'part-a.js', 'part-c.js']);
  });

  it('share their classes, whichever file they stand in', async () => {
    const together = new Set(['main.js', 'part-a.js']);
    const options = { platform: 'node', target: 'node20', supported: { 'dynamic-import': false } } as const;
    const code = await joined(files, 'main.js', together, options);
    const asked: string[] = [];
    const main = run(code, (name) => asked.push(name));
    assert.deepEqual(asked, []);
    const later = withParts('module.exports.other = new (require("./part-a.js").Box)();', 'main.js', together);
    const { other } = run(later, (name) => {
      assert.equal(name, './main.js');
      return main;
    });
    assert.equal(Object.getPrototypeOf(other), Object.getPrototypeOf(main['own']));
  });

  it('leave alone what is required from elsewhere', () => {
    const code = 'require("./part-b.js");require("vscode")';
    assert.equal(withParts(code, 'main.js', new Set(['main.js', 'part-a.js'])), code);
  });
});

function part(name: string, kind: string): { path: string; kind: string } {
  return { path: `dist/part-${name}.js`, kind };
}
