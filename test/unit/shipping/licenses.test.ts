import assert from 'node:assert/strict';
import type { Metafile } from 'esbuild';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thirdPartyLicenses } from '../../../scripts/licenses.mjs';
import { useFolder } from '../../support/tempFolder';

describe('licenses of bundled packages', () => {
  const root = useFolder();

  /** Creates a package, and returns one of its files the way esbuild names inputs, with forward slashes. */
  function bundled(
    [name = '', version]: readonly string[],
    license: string | undefined,
    files: Readonly<Record<string, string>>,
    path = name,
  ): string {
    const folder = root.in('node_modules', path);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, license }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    return `${root.path.replaceAll('\\', '/')}/node_modules/${path}/lib/index.js`;
  }

  function metafile(...inputs: string[]): Metafile {
    return { inputs: Object.fromEntries(inputs.map((input) => [input, { bytes: 1, imports: [] }])), outputs: {} };
  }

  it('are listed once each, from all bundles, with their notices', () => {
    const plain = bundled(['plain', '1.0.0'], 'MIT', { LICENSE: 'be kind' });
    const files = { 'License.txt': 'state changes', NOTICE: 'by someone' };
    const scoped = bundled(['@some/one', '2.0.0'], 'Apache-2.0', files);
    const text = thirdPartyLicenses([metafile(plain, 'src/extension.ts'), metafile(scoped, plain)]);
    assert.equal(text.split('plain 1.0.0 (MIT)').length, 2);
    assert.match(text, /plain 1\.0\.0 \(MIT\)\n\nbe kind/);
    assert.match(text, /@some\/one 2\.0\.0 \(Apache-2\.0\)\n\nstate changes\n\nby someone/);
  });

  it('are those of the nested copy if that was bundled', () => {
    bundled(['inner', '2.0.0'], 'MIT', { LICENSE: 'the new one' });
    const nested = bundled(['inner', '1.0.0'], 'ISC', { LICENCE: 'the old one' }, 'outer/node_modules/inner');
    const text = thirdPartyLicenses([metafile(nested)]);
    assert.match(text, /inner 1\.0\.0 \(ISC\)\n\nthe old one/);
    assert.doesNotMatch(text, /the new one/);
  });

  it('fail the build and are all listed if they are unknown, disallowed, or have no text', () => {
    const inputs = [
      bundled(['copyleft', '3.0.0'], 'GPL-3.0-only', { LICENSE: 'share' }),
      bundled(['silent', '1.0.0'], undefined, { LICENSE: 'it does not say' }),
      bundled(['textless', '1.0.0'], 'MIT', {}),
      bundled(['permissive', '1.0.0'], 'MIT', { LICENSE: 'be kind' }),
    ];
    const listing = () => thirdPartyLicenses([metafile(...inputs)]);
    for (const part of [
      'copyleft 3.0.0: "GPL-3.0-only"',
      'silent 1.0.0: undefined',
      'textless 1.0.0: no licence file',
    ]) {
      assert.throws(listing, ({ message }: Error) => message.includes(part) && !message.includes('permissive'));
    }
  });
});
