// @ts-check
// `npm run docs`: regenerates parts of the documents. With --check, only lists those that are out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from './docs/generated.mjs';
import { repository } from './vscode/paths.mjs';

const stale = documents().filter(({ text, wanted }) => text !== wanted);
if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} is out of date. Run npm run docs.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { path, wanted } of stale) writeFileSync(join(repository, path), wanted);
  console.log(
    stale.length === 0 ? 'Everything is up to date.' : `Updated: ${stale.map(({ path }) => path).join(', ')}`,
  );
}
