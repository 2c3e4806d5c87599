import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readmePictures } from '../../support/readmePictures';

const folder = 'media/screenshots';
const maxBytes = 600 * 1024;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('the pictures of the README', () => {
  const readme = readFileSync('README.md', 'utf8');
  const images = [...readme.matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g)].map(([, alt = '', path = '']) => ({ alt, path }));
  const made = readmePictures.map((name) => `${folder}/${name}.png`);

  it('are those that a suite makes, and no others', () => {
    assert.deepEqual(images.map(({ path }) => path).sort(), [...made].sort());
    assert.deepEqual(
      readdirSync(folder).map((file) => `${folder}/${file}`),
      [...made].sort(),
    );
    assert.doesNotMatch(readme, /<img\b/, 'an image that this test would not see');
  });

  it('are told to who cannot see them', () => {
    for (const { alt, path } of images) assert.ok(alt.split(' ').length >= 5, path);
  });

  it('are PNGs, and small enough to be kept with the code', () => {
    for (const path of made) assert.ok(readFileSync(path).subarray(0, 8).equals(pngSignature), path);
    const bytes = made.reduce((sum, path) => sum + statSync(path).size, 0);
    assert.ok(bytes <= maxBytes, `${bytes} bytes`);
  });

  it('are not packaged: the marketplace shows them from the repository', () => {
    const packaged = readFileSync('.vscodeignore', 'utf8').split('\n');
    assert.ok(packaged.includes('**'));
    assert.deepEqual(
      packaged.filter((line) => line.startsWith('!media')),
      ['!media/icon.png', '!media/activity.svg', '!media/record.tmLanguage.json', '!media/walkthrough/*.svg'],
    );
  });
});
