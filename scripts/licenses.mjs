// @ts-check
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Licenses that may be bundled with MIT code. Review others before adding them. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
]);

/**
 * The license texts and notices of the bundled packages.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {string}
 * @throws {Error} that names every package whose license is missing or not allowed
 */
export function thirdPartyLicenses(metafiles) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, string[]>} packages by their text: many have the same, which is long */
  const byText = new Map();
  for (const folder of packageFolders(metafiles)) {
    try {
      const { title, text } = licenseOf(folder);
      byText.set(text, [...(byText.get(text) ?? []), title]);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (problems.length > 0) throw new Error(`Missing or disallowed licenses:\n${problems.join('\n')}`);
  const parts = [...byText].map(([text, titles]) => `${'-'.repeat(80)}\n${titles.join('\n')}\n\n${text}\n`);
  return `This extension contains the following packages.\n\n${parts.join('\n')}`;
}

/**
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {string[]} sorted by name; a package in two versions has two
 */
function packageFolders(metafiles) {
  // Packages with zero bytes count too: their constants may be inlined into other code.
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = inputs.flatMap((input) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/**
 * @param {string} folder
 * @returns {{ readonly title: string, readonly text: string }} the package, and its license with its notices
 */
function licenseOf(folder) {
  /** @type {unknown} */
  const parsed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = /** @type {{ name: string, version: string, license?: unknown }} */ (parsed);
  if (typeof license !== 'string' || !allowed.has(license)) {
    throw new Error(`${name} ${version}: ${JSON.stringify(license)} is not one of ${[...allowed].join(', ')}`);
  }
  const files = readdirSync(folder).sort();
  const text = files.filter((file) => /^licen[cs]e/i.test(file));
  if (text.length === 0) throw new Error(`${name} ${version}: no licence file`);
  const notices = files.filter((file) => /^(notice|third[-_]?party)/i.test(file));
  const contents = [...text, ...notices].map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { title: `${name} ${version} (${license})`, text: contents.join('\n\n') };
}
