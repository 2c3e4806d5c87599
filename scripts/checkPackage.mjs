// @ts-check
// `npm run package:check`: builds the VSIX twice, the second time as on another machine, and checks its contents.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkVsix, differences } from './package/checks.mjs';
import { namedFiles } from './package/namedFiles.mjs';
import { buildProduction, makeVsix } from './package/vsix.mjs';
import { readZip } from './package/zip.mjs';

/** Simulates another machine: time zone, locale, umask, file times. */
function beElsewhere() {
  Object.assign(process.env, { TZ: 'Pacific/Apia', LC_ALL: 'da_DK.UTF-8' });
  process.umask(0o077);
  const now = new Date();
  for (const file of namedFiles().flatMap(({ files }) => files)) utimesSync(file, now, now);
}

/** @param {string} file */
function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>} the problems found
 */
async function check(folder) {
  const here = join(folder, 'here.vsix');
  const elsewhere = join(folder, 'elsewhere.vsix');
  await buildProduction();
  await makeVsix(here);
  beElsewhere();
  await buildProduction();
  await makeVsix(elsewhere);

  const problems = await checkVsix(here);
  const entries = await readZip(here);
  const same = hashOf(here) === hashOf(elsewhere);
  if (!same) problems.push('Two builds differ.', ...differences(entries, await readZip(elsewhere)));
  console.log(`${entries.length} files, ${readFileSync(here).length} bytes${same ? `, twice ${hashOf(here)}` : ''}`);
  return problems;
}

const folder = mkdtempSync(join(tmpdir(), 'agent-logs-vsix-'));
try {
  const problems = await check(folder);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
