// @ts-check

/** Where the files of a tag can be read. */
const repository = 'https://github.com/agent-logs/agent-logs/blob';

/**
 * Extracts the release notes of a version from the changelog. Links to files are absolute, because a release on GitHub has no files beside it.
 * @param {{ tag: string, version: string, changelog: string }} release the version is that of package.json
 * @returns {string} Markdown, without the heading
 * @throws {Error} if tag, version and changelog don't match
 */
export function releaseNotes({ tag, version, changelog }) {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but the version in package.json is ${version}.`);
  const sections = sectionsOf(changelog);
  if (sections.get('Unreleased')) throw new Error(`The changelog still has entries under Unreleased.`);
  const notes = sections.get(version);
  if (!notes) throw new Error(`The changelog has no section "## [${version}] - YYYY-MM-DD".`);
  const linked = notes.replace(
    /\]\((?!https?:)([^()]+)\)/g,
    (_, /** @type {string} */ path) => `](${repository}/${tag}/${path})`,
  );
  return `${linked}\n`;
}

/**
 * Marketplaces support no suffixes of versions, so the changelog says which one is a pre-release: `## [0.4.0] - 2026-12-01 (pre-release)`.
 * @param {{ version: string, changelog: string }} release
 */
export function isPreRelease({ version, changelog }) {
  const heading = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`));
  return heading?.trimEnd().endsWith('(pre-release)') ?? false;
}

/** @param {string} changelog */
function sectionsOf(changelog) {
  const sections = changelog.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split(/\r?\n/);
      return [/^\[([^\]]+)\]/.exec(heading)?.[1] ?? heading, lines.join('\n').trim()];
    }),
  );
}
