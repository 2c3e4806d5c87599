import assert from 'node:assert/strict';
import { isPreRelease } from '../../../scripts/package/vsix.mjs';
import { releaseNotes } from '../../../scripts/release/notes.mjs';

const changelog = `# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

### Added

- A thing.

## [0.1.0] - 2026-11-22

- The first.
`;

describe('The notes of a release', () => {
  it('are what the changelog says of the version', () => {
    assert.equal(releaseNotes({ tag: 'v0.2.0', version: '0.2.0', changelog }), '### Added\n\n- A thing.\n');
    assert.equal(releaseNotes({ tag: 'v0.1.0', version: '0.1.0', changelog }), '- The first.\n');
  });

  it('are refused when the tag is not that of the version', () => {
    assert.throws(() => releaseNotes({ tag: 'v0.2.1', version: '0.2.0', changelog }), /v0\.2\.1.*0\.2\.0/);
    assert.throws(() => releaseNotes({ tag: '0.2.0', version: '0.2.0', changelog }), /The tag is 0\.2\.0/);
  });

  it('are refused when the changelog does not know the version, or has something unreleased', () => {
    assert.throws(() => releaseNotes({ tag: 'v0.3.0', version: '0.3.0', changelog }), /says nothing of 0\.3\.0/);
    const unreleased = changelog.replace('## [Unreleased]\n', '## [Unreleased]\n\n- One more.\n');
    assert.throws(() => releaseNotes({ tag: 'v0.2.0', version: '0.2.0', changelog: unreleased }), /Unreleased/);
  });

  it('are those of a pre-release when the minor is odd', () => {
    assert.deepEqual(['0.1.0', '0.2.0', '1.0.3', '1.11.0'].map(isPreRelease), [true, false, false, true]);
  });
});
