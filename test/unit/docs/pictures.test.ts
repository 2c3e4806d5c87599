import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readmePictures } from '../../support/readmePictures';

const folder = 'media/screenshots';
/** Of one picture. */
const maxBytes = 220 * 1024;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const documents = ['README.md', ...readdirSync('docs').map((file) => `docs/${file}`)];

describe('pictures in the documents', () => {
  const text = documents.map((file) => readFileSync(file, 'utf8')).join('\n');
  const images = [...text.matchAll(/!\[([^\]]*)\]\((?:\.\.\/)?([^)]*)\)/g)];
  const made = readmePictures.map((name) => `${folder}/${name}.png`).sort();

  it('are exactly those that a suite makes', () => {
    const files = readdirSync(folder).map((file) => `${folder}/${file}`);
    assert.deepEqual([images.map(([, , path]) => path).sort(), files], [made, made]);
    assert.doesNotMatch(text, /<img\b/, 'an image that this test would miss');
  });

  it('have alternative texts', () => {
    for (const [image, alt = ''] of images) assert.ok(alt.split(' ').length >= 5, image);
  });

  it('are PNGs, small enough for the repository', () => {
    for (const path of made) assert.ok(readFileSync(path).subarray(0, 8).equals(pngSignature), path);
    for (const path of made) assert.ok(statSync(path).size <= maxBytes, path);
  });

  it('are not packaged, except for the walkthrough, because the marketplace shows them from the repository', () => {
    const packaged = readFileSync('.vscodeignore', 'utf8').split('\n');
    assert.ok(packaged.includes('**'));
    const media = packaged.filter((line) => line.startsWith('!media'));
    assert.deepEqual(media, ['!media/icon.png', '!media/activity.svg', '!media/walkthrough/*.webp']);
  });
});
