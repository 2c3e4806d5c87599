import assert from 'node:assert/strict';
import { checkAnonymous, checkParts, checkReadme, differences } from '../../../scripts/package/checks.mjs';
import { repository } from '../../../scripts/vscode/paths.mjs';

function entry(path: string, text: string, mode = 0o100644, time = 1) {
  return { path, mode, time, contents: Buffer.from(text) };
}

function readme(text: string): string[] {
  return checkReadme([entry('extension/readme.md', text)]);
}

describe('checks of a VSIX', () => {
  it('report programs that were built but not packaged', () => {
    const programs = [entry('extension/dist/extension.js', ''), entry('extension/dist/later.js', '')];
    const built = ['extension.js', 'later.js', 'later.js.map'];
    assert.deepEqual(checkParts(programs, built), []);
    assert.deepEqual(checkParts(programs.slice(1), built), ['dist/extension.js is built, but not packaged.']);
  });

  it('report broken links in the README', () => {
    const own = 'https://github.com/agent-logs/agent-logs';
    for (const [text, problem] of [
      [`[a](${own}/blob/v1.0.0/LICENSE#x) <img src="${own}/raw/v1.0.0/media/icon.png"> [b](#b)`, /^$/],
      [`[a](${own}/blob/v1.0.0/docs/none.md)`, /docs\/none\.md, which isn't in the repository/],
      ['![a](media/icon.png)', /media\/icon\.png, which doesn't exist in a marketplace/],
      ['<source srcset="media/icon.png"> [b](#b)', /media\/icon\.png, which doesn't exist in a marketplace/],
      ['nothing', /no links/],
    ] as const) {
      assert.match(readme(text).join(), problem);
    }
  });

  it('report paths of the build machine and unportable modes', () => {
    assert.deepEqual(checkAnonymous([entry('extension/a.js', 'src/extension.ts')]), []);
    assert.equal(checkAnonymous([entry('extension/a.js', `// ${repository}/src/extension.ts`)]).length, 1);
    assert.deepEqual(checkAnonymous([entry('extension/a.js', '', 0o100755)]), ['extension/a.js has the mode 100755.']);
  });

  it('list differences in modes, times and contents', () => {
    const first = [entry('a', 'x'), entry('b', 'y')];
    assert.deepEqual(differences(first, [entry('a', 'x'), entry('b', 'y')]), []);
    assert.deepEqual(differences(first, [entry('a', 'x', 0o100600, 2), entry('b', 'z')]), [
      'a: mode 100644, 100600',
      'a: times',
      'b: contents',
    ]);
    assert.deepEqual(differences(first, [entry('a', 'x')]), ['The files or their order differ.']);
  });
});
