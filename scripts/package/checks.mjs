// @ts-check
// Checks of a VSIX. Each returns the problems it found.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { repository } from '../vscode/paths.mjs';
import { namedFiles } from './namedFiles.mjs';
import { readZip } from './zip.mjs';

/** @typedef {import('./zip.mjs').ZipEntry} ZipEntry */

const maxBytes = 1.4 * 1024 * 1024;

/** Files that vsce adds, and files that it renames. */
const ofVsce = ['[Content_Types].xml', 'extension.vsixmanifest'];
/** @type {Readonly<Record<string, string>>} */
const renamed = { 'README.md': 'readme.md', 'CHANGELOG.md': 'changelog.md', LICENSE: 'LICENSE.txt' };

/**
 * Runs all checks of a VSIX.
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
  return size <= maxBytes ? [] : [`The VSIX has ${size} bytes. The limit is ${maxBytes}.`];
}

/**
 * The VSIX has exactly the files that `.vscodeignore` lists, and they all exist.
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
      .map(({ pattern }) => `.vscodeignore lists ${pattern}, which doesn't exist.`),
    ...[...expected].filter((path) => !found.has(path)).map((path) => `${path} is missing.`),
    ...[...found].filter((path) => !expected.has(path)).map((path) => `${path} isn't in .vscodeignore.`),
  ];
}

/**
 * The VSIX has every program of the build, because they load each other by name.
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
 * Links and pictures of the README are absolute URLs of files in the repository, because marketplaces show it elsewhere.
 * @param {readonly ZipEntry[]} entries
 * @returns {string[]}
 */
export function checkReadme(entries) {
  const readme = entries.find(({ path }) => path === 'extension/readme.md')?.contents.toString() ?? '';
  // vsce rewrites all of them except those in `srcset`.
  const targets = [...readme.matchAll(/\]\(([^)\s]+)[^)]*\)|\b(?:src|srcset|href)="([^"\s]+)/g)].map(
    ([, link, attribute]) => link ?? attribute ?? '',
  );
  if (targets.length === 0) return ['The README has no links. Is it missing?'];
  return targets.flatMap((target) => {
    if (target.startsWith('#')) return [];
    if (!target.startsWith('https://')) return [`The README links to ${target}, which doesn't exist in a marketplace.`];
    const own = /^https:\/\/github\.com\/agent-logs\/agent-logs\/(?:blob|raw)\/[^/]+\/([^#?]+)/.exec(target)?.[1];
    return own === undefined || existsSync(own) ? [] : [`The README links to ${own}, which isn't in the repository.`];
  });
}

/**
 * File modes are portable, and nothing reveals the machine it was built on.
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
 * Lists how the entries of two VSIX files differ.
 * @param {readonly ZipEntry[]} first
 * @param {readonly ZipEntry[]} second
 * @returns {string[]}
 */
export function differences(first, second) {
  if (first.map(({ path }) => path).join() !== second.map(({ path }) => path).join()) {
    return ['The files or their order differ.'];
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
