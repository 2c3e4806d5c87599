// @ts-check
// Decides which suites run in which VS Code, by their names:
//   *.ui.test.js   drives the window; newest version only, because the markup changes between versions
//   untrusted/**   needs an untrusted workspace, so it's a separate launch
//   journeys/**    one of them also in German, which is a separate launch
//   installed/**   for the packaged extension; scripts/testVsix.mjs runs it
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

/** Suites for a second window of the newest version: both take about as long. */
const inSecondWindow = /^[o-z]/;

/**
 * @param {string} folder of compiled suites
 * @returns {string[]}
 */
export function findSuites(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.js'))
    .sort();
}

const knownFlags = ['oldest', 'newest', 'german'];

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
 * @param {string[]} args `--oldest`, `--newest` or `--german` for these launches only; anything else is a part of the names of the suites wanted
 * @param {{ desktop: boolean }} host
 * @returns {Launch[]} those that take longest first
 * @throws if an argument is unknown, or selects nothing
 */
export function planLaunches(suites, args, { desktop }) {
  const parts = args.filter((arg) => !arg.startsWith('--'));
  const wanted = suites.filter((suite) => parts.length === 0 || parts.some((part) => suite.includes(part)));
  const untrusted = wanted.filter((suite) => suite.startsWith('untrusted/'));
  const trusted = wanted.filter((suite) => !/^(untrusted|installed)\//.test(suite));

  const german = trusted.filter((suite) =>
    parts.length > 0 ? suite.startsWith('journeys/') : germanJourney.test(suite),
  );

  // A desktop shows one window after the other anyway.
  const isSplit = parts.length === 0 && !desktop;
  /** @type {Launch[]} */
  const launches = [
    {
      name: isSplit ? 'newest-1' : 'newest',
      end: 'newest',
      trusted: true,
      language: 'en',
      suites: isSplit ? trusted.filter((suite) => !inSecondWindow.test(suite)) : trusted,
    },
    {
      name: 'newest-2',
      end: 'newest',
      trusted: true,
      language: 'en',
      suites: isSplit ? trusted.filter((suite) => inSecondWindow.test(suite)) : [],
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
  const flags = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2));
  const unknown = flags.filter((flag) => !knownFlags.includes(flag));
  if (unknown.length > 0) {
    throw new Error(`Unknown: --${unknown.join(', --')}. There are: --${knownFlags.join(', --')}`);
  }
  const chosen = launches.filter(
    ({ end, language, suites }) =>
      suites.length > 0 && (flags.length === 0 || flags.includes(language === 'de' ? 'german' : end)),
  );
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
  return 'not asked for';
}
