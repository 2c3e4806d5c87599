// @ts-check
// What has to be true of a VSIX. Each check answers what is wrong, in words; nothing when all is well.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { repository } from '../vscode/paths.mjs';
import { namedFiles } from './namedFiles.mjs';
import { readZip } from './zip.mjs';

/** @typedef {import('./zip.mjs').ZipEntry} ZipEntry */

const maxBytes = 1024 * 1024;

/** What vsce adds, and what it calls otherwise than we do. */
const ofVsce = ['[Content_Types].xml', 'extension.vsixmanifest'];
/** @type {Readonly<Record<string, string>>} */
const renamed = { 'README.md': 'readme.md', 'CHANGELOG.md': 'changelog.md', LICENSE: 'LICENSE.txt' };

/**
 * All that has to be true of one VSIX.
 * @param {string} vsix
 * @returns {Promise<string[]>}
 */
export async function checkVsix(vsix) {
  const entries = await readZip(vsix);
  return [
    ...checkSize(vsix),
    ...[checkList, checkParts, checkReadme, checkAnonymous].flatMap((check) => check(entries)),
  ];
}

/**
 * @param {string} vsix
 * @returns {string[]}
 */
function checkSize(vsix) {
  const { size } = statSync(vsix);
  return size <= maxBytes ? [] : [`It has ${size} bytes, which is more than ${maxBytes}.`];
}

/**
 * Exactly what `.vscodeignore` names is in it, and it names nothing that is not.
 * @param {readonly ZipEntry[]} entries
 * @returns {string[]}
 */
function checkList(entries) {
  const named = namedFiles();
  const files = named.flatMap((each) => each.files);
  const expected = new Set([...ofVsce, ...files.map((file) => `extension/${renamed[file] ?? file}`)]);
  const found = new Set(entries.map(({ path }) => path));
  return [
    ...named
      .filter((each) => each.files.length === 0)
      .map(({ pattern }) => `.vscodeignore names ${pattern}: not there.`),
    ...[...expected].filter((path) => !found.has(path)).map((path) => `${path} is missing.`),
    ...[...found].filter((path) => !expected.has(path)).map((path) => `${path} is in it, and nobody named it.`),
  ];
}

/**
 * Every program that the build wrote is in it: its parts load each other by name.
 * @param {readonly ZipEntry[]} entries
 * @param {readonly string[]} [built] the files of dist/
 * @returns {string[]}
 */
export function checkParts(entries, built = readdirSync('dist')) {
  const packaged = new Set(entries.map(({ path }) => path));
  const missing = built.filter((file) => file.endsWith('.js') && !packaged.has(`extension/dist/${file}`));
  return missing.map((file) => `dist/${file} is built, but not packaged.`);
}

/**
 * A marketplace shows the README elsewhere: its links and pictures lead to files of the repository, by whole addresses.
 * @param {readonly ZipEntry[]} entries
 * @returns {string[]}
 */
export function checkReadme(entries) {
  const readme = entries.find(({ path }) => path === 'extension/readme.md')?.contents.toString() ?? '';
  // vsce rewrites them all but those of `srcset`.
  const targets = [...readme.matchAll(/\]\(([^)\s]+)[^)]*\)|\b(?:src|srcset|href)="([^"\s]+)/g)].map(
    ([, link, attribute]) => link ?? attribute ?? '',
  );
  if (targets.length === 0) return ['The README has no links: is it there?'];
  return targets.flatMap((target) => {
    if (target.startsWith('#')) return [];
    if (!target.startsWith('https://')) return [`The README leads to ${target}, which is nowhere in a marketplace.`];
    const own = /^https:\/\/github\.com\/agent-logs\/agent-logs\/(?:blob|raw)\/[^/]+\/([^#?]+)/.exec(target)?.[1];
    return own === undefined || existsSync(own) ? [] : [`The README leads to ${own}, which is not in the repository.`];
  });
}

/**
 * Modes that any machine gives, and nothing that tells on which it was built.
 * @param {readonly ZipEntry[]} entries
 * @returns {string[]}
 */
export function checkAnonymous(entries) {
  const machine = [repository, homedir()].filter((path) => path.length > 1);
  return entries.flatMap(({ path, mode, contents }) => [
    ...(mode & 0o111 ? [`${path} has the mode ${mode.toString(8)}.`] : []),
    ...machine.filter((place) => namesPlace(contents, place)).map((place) => `${path} names ${place}.`),
  ]);
}

/**
 * @param {Buffer} contents
 * @param {string} place a folder: `/root` is in `/root/x`, not in `/rooted`
 */
function namesPlace(contents, place) {
  return contents.includes(`${place}/`) || contents.includes(`${place}"`);
}

/**
 * In which entries two VSIX differ, and by what.
 * @param {readonly ZipEntry[]} first
 * @param {readonly ZipEntry[]} second
 * @returns {string[]}
 */
export function differences(first, second) {
  if (first.map(({ path }) => path).join() !== second.map(({ path }) => path).join()) {
    return ['Not the same files in the same order.'];
  }
  return first.flatMap((entry, index) => {
    const other = second[index];
    if (other === undefined) return [];
    return [
      ...(entry.mode === other.mode
        ? []
        : [`${entry.path}: mode ${entry.mode.toString(8)}, ${other.mode.toString(8)}`]),
      ...(entry.time === other.time ? [] : [`${entry.path}: times`]),
      ...(entry.contents.equals(other.contents) ? [] : [`${entry.path}: contents`]),
    ];
  });
}
