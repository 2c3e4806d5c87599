// @ts-check
// `node scripts/releaseNotes.mjs v1.2.3 FILE`: writes the release notes of a version, or fails if the changelog isn't ready. Prints outputs
// for the release workflow.
import { readFileSync, writeFileSync } from 'node:fs';
import { isPreRelease, ownVersion } from './package/vsix.mjs';
import { releaseNotes } from './release/notes.mjs';

const [tag, file] = process.argv.slice(2);
try {
  if (tag === undefined || file === undefined) throw new Error('usage: releaseNotes.mjs TAG FILE');
  const version = ownVersion();
  writeFileSync(file, releaseNotes({ tag, version, changelog: readFileSync('CHANGELOG.md', 'utf8') }));
  console.log(`prerelease=${isPreRelease(version)}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
