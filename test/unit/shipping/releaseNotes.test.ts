import assert from 'node:assert/strict';
import { isPreRelease, releaseNotes } from '../../../scripts/release/notes.mjs';

const changelog = `# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

### Added

- A thing.

## [0.1.0] - 2026-11-22

- The first.
`;

describe('release notes', () => {
  it("are the version's section of the changelog", () => {
    assert.equal(releaseNotes({ tag: 'v0.2.0', version: '0.2.0', changelog }), '### Added\n\n- A thing.\n');
    assert.equal(releaseNotes({ tag: 'v0.1.0', version: '0.1.0', changelog }), '- The first.\n');
  });

  it('link to the files of the tag', () => {
    const linked = changelog.replace('A thing.', 'A [thing](docs/a.md#b) of [another](https://example.com/c).');
    assert.equal(
      releaseNotes({ tag: 'v0.2.0', version: '0.2.0', changelog: linked }),
      '### Added\n\n- A [thing](https://github.com/agent-logs/agent-logs/blob/v0.2.0/docs/a.md#b) of [another](https://example.com/c).\n',
    );
  });

  it("fail if the tag doesn't match the version", () => {
    assert.throws(() => releaseNotes({ tag: 'v0.2.1', version: '0.2.0', changelog }), /v0\.2\.1.*0\.2\.0/);
    assert.throws(() => releaseNotes({ tag: '0.2.0', version: '0.2.0', changelog }), /The tag is 0\.2\.0/);
  });

  it('fail if the changelog lacks the version or has unreleased entries', () => {
    assert.throws(() => releaseNotes({ tag: 'v0.3.0', version: '0.3.0', changelog }), /has no section "## \[0\.3\.0\]/);
    const unreleased = changelog.replace('## [Unreleased]\n', '## [Unreleased]\n\n- One more.\n');
    assert.throws(() => releaseNotes({ tag: 'v0.2.0', version: '0.2.0', changelog: unreleased }), /Unreleased/);
  });

  it('are for a pre-release if the heading says so', () => {
    const marked = changelog.replace('[0.1.0] - 2026-11-22', '[0.1.0] - 2026-11-22 (pre-release)');
    assert.deepEqual(
      ['0.1.0', '0.2.0', '0.0.1'].map((version) => isPreRelease({ version, changelog: marked })),
      [true, false, false],
    );
    assert.equal(releaseNotes({ tag: 'v0.1.0', version: '0.1.0', changelog: marked }), '- The first.\n');
  });
});
