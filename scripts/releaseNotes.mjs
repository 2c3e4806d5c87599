// @ts-check
// `node scripts/releaseNotes.mjs v1.2.3 FILE`: writes the release notes of a version, or fails if the changelog isn't ready. Prints outputs
// for the release workflow.
import { writeFileSync } from 'node:fs';
import { ownChangelog, ownVersion } from './package/vsix.mjs';
import { isPreRelease, releaseNotes } from './release/notes.mjs';

const [tag, file] = process.argv.slice(2);
try {
  if (tag === undefined || file === undefined) throw new Error('usage: releaseNotes.mjs TAG FILE');
  const release = { version: ownVersion(), changelog: ownChangelog() };
  writeFileSync(file, releaseNotes({ tag, ...release }));
  console.log(`prerelease=${isPreRelease(release)}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
