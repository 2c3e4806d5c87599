// @ts-check
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the licences of the packages that were bundled, as they want it.
 * @param {Iterable<string>} inputs the files that esbuild put into the bundles
 * @param {string} file
 */
export function writeLicenses(inputs, file) {
  const packages = new Set(
    [...inputs].flatMap((input) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []),
  );
  const texts = [...packages].sort().map(licenseOf);
  writeFileSync(file, `This extension contains the following packages.\n\n${texts.join('\n')}`);
}

/** @param {string} name */
function licenseOf(name) {
  const folder = join('node_modules', name);
  /** @type {unknown} */
  const parsed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const manifest = /** @type {{ version: string, license: string }} */ (parsed);
  const licenseFile = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (licenseFile === undefined) {
    throw new Error(`${name} has no licence file`);
  }
  return `${'-'.repeat(80)}\n${name} ${manifest.version} (${manifest.license})\n\n${readFileSync(join(folder, licenseFile), 'utf8').trim()}\n`;
}
