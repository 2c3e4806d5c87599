import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { FileChanges } from '../../../../../src/timeline/changes';
import { urisOf } from '../../../../../src/ui/surfaces/changes/changedFiles';

function fileAt(path: string): FileChanges {
  return { path, kind: 'edited', spans: [], added: 0, removed: 0 };
}

describe('the documents of a changed file', () => {
  for (const [name, path, shown] of [
    ['an absolute path', '/home/dev/shop/src/a b.ts', '/home/dev/shop/src/a b.ts'],
    ['a relative path', 'src/a.ts', '/src/a.ts'],
    ['a path of Windows', 'C:\\shop\\src\\a.ts', '/C:/shop/src/a.ts'],
    ['one that leads elsewhere', '/home/dev/../../etc/./passwd', '/home/dev/etc/passwd'],
    ['one that leads elsewhere on Windows', '..\\..\\a.ts', '/a.ts'],
    ['one that looks like an authority', '//evil.example/share/a.ts', '/evil.example/share/a.ts'],
    ['nothing but dots', '../..', '/'],
    ['no name', '', '/'],
  ] as const) {
    it(`have a path of their own for ${name}`, () => {
      const [before, after] = urisOf({ run: 'r' }, fileAt(path));
      assert.deepEqual([before.path, after.path], [shown, shown]);
    });
  }

  it('show no line breaks and no text that turns the direction', () => {
    const [, { path }] = urisOf({ run: 'r' }, fileAt('src/a\nb\u202egpj.ts\u0000'));
    assert.equal(path, String.raw`/src/a b\u202egpj.ts\u0000`);
  });

  it('have the earlier name of a moved file before its changes', () => {
    const [before, after] = urisOf({ run: 'r' }, { ...fileAt('new.ts'), from: '../old.ts' });
    assert.deepEqual([before.path, after.path], ['/old.ts', '/new.ts']);
  });
});
