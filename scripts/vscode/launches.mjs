// @ts-check
// Decides which suites run in which VS Code, by their names:
//   *.ui.test.js   drives the window; newest version only, because the markup changes between versions
//   *.test.js      drives the API; oldest version only, as its Node.js and its API have the least
//   untrusted/**   needs an untrusted workspace, so it's a separate launch
//   nightly/**     takes long and seldom fails
//   journeys/**    nightly also one of them in German, which is a separate launch
//   installed/**   for the packaged extension; scripts/testVsix.mjs runs it
// The nightly run has everything, in both versions.
import { createHash, randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';

/**
 * @typedef {object} Launch
 * @property {string} name
 * @property {'oldest' | 'newest'} end of the supported range of versions
 * @property {boolean} trusted
 * @property {'en' | 'de'} language
 * @property {string[]} suites relative to the folder of compiled suites, with forward slashes
 */

/** The journey that is enough in German, unless others are asked for. */
const germanJourney = /^journeys\/failedTurn/;

/** Suites for a second window of the newest version: it and the other launches take about as long as the first. */
const inSecondWindow = /^[o-z]/;

/**
 * @param {string} folder of compiled suites
 * @returns {string[]}
 */
export function findSuites(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.js'));
}

/**
 * The seed of an order of suites: the same each time, so that a run can be repeated, and another one each night.
 * @param {string | undefined} text of `AGENT_LOGS_SEED`; empty is the same as unset
 * @param {boolean} isNightly
 */
export function seedOf(text, isNightly) {
  if (text !== undefined && text !== '') return text;
  return isNightly ? String(randomInt(1_000_000)) : '1';
}

/**
 * Suites in an order that a seed decides: none may depend on another one.
 * @param {readonly string[]} suites
 * @param {string} seed
 * @returns {string[]}
 */
export function shuffled(suites, seed) {
  /** @param {string} suite */
  const place = (suite) => createHash('sha256').update(`${seed} ${suite}`).digest('hex');
  return suites
    .map((suite) => /** @type {const} */ ([place(suite), suite]))
    .sort()
    .map(([, suite]) => suite);
}

const knownFlags = ['oldest', 'newest', 'german', 'nightly'];

/**
 * @param {string | undefined} text of `AGENT_LOGS_WINDOWS`; empty is the same as unset
 * @returns {number} how many windows run at once
 * @throws if that isn't a whole number from 1 on: no suite would run
 */
export function windowsAtOnce(text) {
  if (text === undefined || text === '') return 2;
  const windows = Number(text);
  if (Number.isInteger(windows) && windows > 0) return windows;
  throw new Error(`AGENT_LOGS_WINDOWS must be a whole number from 1 on, not ${text}.`);
}

/**
 * @param {string[]} suites
 * @param {string[]} args `--oldest`, `--newest` or `--german` for these launches only, `--nightly` for everything; anything else is a part of the names of the suites wanted
 * @param {{ desktop: boolean }} host
 * @returns {Launch[]} those that take longest first
 * @throws if an argument is unknown, or selects nothing
 */
export function planLaunches(suites, args, { desktop }) {
  const parts = args.filter((arg) => !arg.startsWith('--'));
  const flags = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2));
  const isNightly = flags.includes('nightly');
  const wanted = suites.filter((suite) =>
    parts.length === 0 ? isNightly || !suite.startsWith('nightly/') : parts.some((part) => suite.includes(part)),
  );
  const untrusted = wanted.filter((suite) => suite.startsWith('untrusted/'));
  const trusted = wanted.filter((suite) => !/^(untrusted|installed)\//.test(suite));

  const german = trusted.filter((suite) =>
    parts.length > 0 ? suite.startsWith('journeys/') : germanJourney.test(suite),
  );

  const inNewest = trusted.filter((suite) => isNightly || flags.includes('newest') || suite.endsWith('.ui.test.js'));

  // A desktop shows one window after the other anyway.
  const isSplit = parts.length === 0 && !desktop;
  /** @type {Launch[]} */
  const launches = [
    {
      name: isSplit ? 'newest-1' : 'newest',
      end: 'newest',
      trusted: true,
      language: 'en',
      suites: isSplit ? inNewest.filter((suite) => !inSecondWindow.test(suite)) : inNewest,
    },
    {
      name: 'newest-2',
      end: 'newest',
      trusted: true,
      language: 'en',
      suites: isSplit ? inNewest.filter((suite) => inSecondWindow.test(suite)) : [],
    },
    {
      name: 'oldest',
      end: 'oldest',
      trusted: true,
      language: 'en',
      suites: trusted.filter((suite) => !suite.endsWith('.ui.test.js')),
    },
    { name: 'german', end: 'newest', trusted: true, language: 'de', suites: german },
    { name: 'untrusted', end: 'newest', trusted: false, language: 'en', suites: untrusted },
  ];
  const unknown = flags.filter((flag) => !knownFlags.includes(flag));
  if (unknown.length > 0) {
    throw new Error(`Unknown: --${unknown.join(', --')}. There are: --${knownFlags.join(', --')}`);
  }
  const ends = flags.filter((flag) => flag !== 'nightly');
  const chosen = launches.filter(({ end, language, suites }) => {
    if (suites.length === 0) return false;
    if (language === 'de') return flags.includes('german') || (isNightly && ends.length === 0);
    return ends.length === 0 || ends.includes(end);
  });
  /** @param {string} part */
  const isRun = (part) => chosen.some((launch) => launch.suites.some((suite) => suite.includes(part)));
  const unused = parts.filter((part) => !isRun(part));
  if (chosen.length === 0 || unused.length > 0) {
    const wish = unused.length > 0 ? unused.join(' ') : args.join(' ');
    const where = flags.length > 0 ? ` with --${flags.join(' --')}` : '';
    throw new Error(`No suites to run for ${wish}${where}. There are: ${suites.join(', ')}`);
  }
  return chosen;
}

/**
 * Describes what a launch runs, and what it skips and why.
 * @param {Launch} launch
 * @param {Launch[]} launches all of them
 * @param {string[]} all suites
 * @returns {string}
 */
export function describeLaunch(launch, launches, all) {
  const lines = launch.suites.map((suite) => `  runs ${suite}`);
  for (const suite of all.filter((each) => !launch.suites.includes(each))) {
    const other = launches.find(
      ({ end, language, suites }) => end === launch.end && language === launch.language && suites.includes(suite),
    );
    lines.push(`  leaves out ${suite} (${other ? `in ${other.name}` : whyLeftOut(suite, launch)})`);
  }
  return lines.join('\n');
}

/**
 * @param {string} suite
 * @param {Launch} launch
 */
function whyLeftOut(suite, launch) {
  if (suite.startsWith('installed/')) return 'for the packaged extension: npm run test:vsix';
  if (suite.startsWith('untrusted/') === launch.trusted) {
    return `for a workspace that is ${launch.trusted ? 'not ' : ''}trusted`;
  }
  if (suite.endsWith('.ui.test.js') && launch.end === 'oldest') return 'drives the window of the newest version';
  if (suite.startsWith('nightly/') || launch.end === 'newest') return 'with --nightly';
  return 'not asked for';
}
