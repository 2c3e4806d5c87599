// @ts-check

/**
 * What the changelog says of a version that is about to be released.
 * @param {{ tag: string, version: string, changelog: string }} release the version is that of package.json
 * @returns {string} Markdown, without the heading
 * @throws {Error} where tag, version and changelog do not fit together
 */
export function releaseNotes({ tag, version, changelog }) {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and the version of package.json ${version}.`);
  const sections = sectionsOf(changelog);
  if (sections.get('Unreleased')) throw new Error(`The changelog still has something under Unreleased.`);
  const notes = sections.get(version);
  if (!notes) throw new Error(`The changelog says nothing of ${version}: it needs "## [${version}] - YYYY-MM-DD".`);
  return `${notes}\n`;
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
