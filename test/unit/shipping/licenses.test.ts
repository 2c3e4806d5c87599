import assert from 'node:assert/strict';
import type { Metafile } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thirdPartyLicenses } from '../../../scripts/licenses.mjs';

describe('licenses of bundled packages', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'agent-logs-licences-'));
  });

  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  /** Creates a package, and returns one of its files the way esbuild names inputs, with forward slashes. */
  function bundled(path: string, manifest: object, files: Readonly<Record<string, string>>): string {
    const folder = join(root, 'node_modules', path);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return `${root.replaceAll('\\', '/')}/node_modules/${path}/lib/index.js`;
  }

  function metafile(...inputs: string[]): Metafile {
    return {
      inputs: Object.fromEntries(inputs.map((input) => [input, { bytes: 1, imports: [] }])),
      outputs: {},
    };
  }

  it('are listed once each, from all bundles, with their notices', () => {
    const plain = bundled('plain', { name: 'plain', version: '1.0.0', license: 'MIT' }, { LICENSE: 'be kind' });
    const scoped = bundled(
      '@some/one',
      { name: '@some/one', version: '2.0.0', license: 'Apache-2.0' },
      { 'License.txt': 'state changes', NOTICE: 'by someone' },
    );
    const text = thirdPartyLicenses([metafile(plain, 'src/extension.ts'), metafile(scoped, plain)]);
    assert.equal(text.split('plain 1.0.0 (MIT)').length, 2);
    assert.match(text, /plain 1\.0\.0 \(MIT\)\n\nbe kind/);
    assert.match(text, /@some\/one 2\.0\.0 \(Apache-2\.0\)\n\nstate changes\n\nby someone/);
  });

  it('are those of the nested copy if that was bundled', () => {
    bundled('inner', { name: 'inner', version: '2.0.0', license: 'MIT' }, { LICENSE: 'the new one' });
    const nested = bundled(
      'outer/node_modules/inner',
      { name: 'inner', version: '1.0.0', license: 'ISC' },
      { LICENCE: 'the old one' },
    );
    const text = thirdPartyLicenses([metafile(nested)]);
    assert.match(text, /inner 1\.0\.0 \(ISC\)\n\nthe old one/);
    assert.doesNotMatch(text, /the new one/);
  });

  it('fail the build and are all listed if they are unknown, disallowed, or have no text', () => {
    const inputs = [
      bundled('copyleft', { name: 'copyleft', version: '3.0.0', license: 'GPL-3.0-only' }, { LICENSE: 'share' }),
      bundled('silent', { name: 'silent', version: '1.0.0' }, { LICENSE: 'it does not say' }),
      bundled('textless', { name: 'textless', version: '1.0.0', license: 'MIT' }, {}),
      bundled('permissive', { name: 'permissive', version: '1.0.0', license: 'MIT' }, { LICENSE: 'be kind' }),
    ];
    assert.throws(
      () => thirdPartyLicenses([metafile(...inputs)]),
      ({ message }: Error) =>
        /copyleft 3\.0\.0: "GPL-3\.0-only"/.test(message) &&
        /silent 1\.0\.0: undefined/.test(message) &&
        /textless 1\.0\.0: no licence file/.test(message) &&
        !message.includes('permissive'),
    );
  });
});
