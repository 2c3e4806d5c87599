// @ts-check
// `node scripts/releaseNotes.mjs v1.2.3 FILE`: writes what the changelog says of that version, or fails where it is not ready. It prints what
// the release workflow needs to know of it, as that wants it.
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
