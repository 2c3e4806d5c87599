import assert from 'node:assert/strict';
import { isPreRelease, releaseNotes } from '../../../scripts/release/notes.mjs';

const latest = '## [0.2.0] - 2026-12-01\n\n### Added\n\n- A thing.\n\n';
const changelog = `# Changelog\n\n## [Unreleased]\n\n${latest}## [0.1.0] - 2026-11-22\n\n- The first.\n`;

const notes = (version: string, text = changelog, tag = `v${version}`) =>
  releaseNotes({ tag, version, changelog: text });

describe('release notes', () => {
  it("are the version's section of the changelog", () => {
    assert.equal(notes('0.2.0'), '### Added\n\n- A thing.\n');
    assert.equal(notes('0.1.0'), '- The first.\n');
  });

  it('link to the files of the tag', () => {
    const linked = changelog.replace('A thing.', 'A [thing](docs/a.md#b) of [another](https://example.com/c).');
    const url = 'https://github.com/agent-logs/agent-logs/blob/v0.2.0/docs/a.md#b';
    assert.equal(notes('0.2.0', linked), `### Added\n\n- A [thing](${url}) of [another](https://example.com/c).\n`);
  });

  it("fail if the tag doesn't match the version", () => {
    assert.throws(() => notes('0.2.0', changelog, 'v0.2.1'), /v0\.2\.1.*0\.2\.0/);
    assert.throws(() => notes('0.2.0', changelog, '0.2.0'), /The tag is 0\.2\.0/);
  });

  it('fail if the changelog lacks the version or has unreleased entries', () => {
    assert.throws(() => notes('0.3.0'), /has no section "## \[0\.3\.0\]/);
    const unreleased = changelog.replace('## [Unreleased]\n', '## [Unreleased]\n\n- One more.\n');
    assert.throws(() => notes('0.2.0', unreleased), /Unreleased/);
  });

  it('are for a pre-release if the heading says so', () => {
    const marked = changelog.replace('[0.1.0] - 2026-11-22', '[0.1.0] - 2026-11-22 (pre-release)');
    for (const version of ['0.1.0', '0.2.0', '0.0.1']) {
      assert.equal(isPreRelease({ version, changelog: marked }), version === '0.1.0');
    }
    assert.equal(notes('0.1.0', marked), '- The first.\n');
  });
});
