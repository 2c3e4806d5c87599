// @ts-check
import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';

/**
 * Expands each line of `.vscodeignore` that starts with `!`. Only those files are packaged.
 * @returns {{ pattern: string, files: string[] }[]} existing files, relative to the repository
 */
export function namedFiles() {
  return readFileSync('.vscodeignore', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1).trim())
    .map((pattern) => ({ pattern, files: filesOf(pattern) }));
}

/**
 * @param {string} pattern a path; its last part may contain `*`
 * @returns {string[]}
 */
function filesOf(pattern) {
  const { dir, base } = posix.parse(pattern);
  const fits = new RegExp(`^${base.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
  return list(dir)
    .filter((name) => fits.test(name))
    .map((name) => posix.join(dir, name))
    .sort();
}

/** @param {string} folder */
function list(folder) {
  try {
    return readdirSync(folder === '' ? '.' : folder);
  } catch {
    return []; // dist/, before the first build
  }
}
