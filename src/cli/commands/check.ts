import type { subjects, WrittenExpectation } from '../check/expectation';
import type { OptionTypes, Parsed } from '../options';
import { parsed } from '../options';
import type { TerminalCommand } from '../terminalCommand';
import { UsageError } from '../usageError';

export interface CheckOptions {
  /** The run (a file, the end of an ID, or `-`); or a file of checks, which may be followed by the run; or nothing, for those of the folder. */
  readonly names: readonly string[];
  /** As written: reading them needs the query languages, which the tap doesn't. */
  readonly expectations: readonly WrittenExpectation[];
  readonly json: boolean;
  /** Where to write JUnit's XML. */
  readonly junit?: string;
  /** Waits for the end of a run that is still being written. */
  readonly follow: boolean;
}

const options = {
  expect: { type: 'string' },
  spans: { type: 'string' },
  'no-problems': { type: 'string' },
  compare: { type: 'string' },
  min: { type: 'string' },
  max: { type: 'string' },
  json: { type: 'boolean' },
  junit: { type: 'string' },
  follow: { type: 'boolean', short: 'f' },
} as const;

export const check: TerminalCommand<'check', CheckOptions> = {
  name: 'check',
  synopsis: '[options] [RUN|CHECKS]',
  options,
  help: `check tests a run against what is expected of it. RUN is what tail prints: a file, a saved
session, or - for standard input; or a run that a tap recorded, by the end of its id. CHECKS
is a file of checks, which names the run or is followed by it. Without expectations, it is
agent-logs.checks.json in the current folder, which stderr says. The exit code is 0, 1 if an
expectation failed, or 2 if the run cannot be checked.

  --expect QUERY     at least one record matches a query of the Log tab
  --spans QUERY      at least one turn or step matches a query of the Turns tab
  --min N, --max N   how many have to match the query before it
  --no-problems LEVEL
                     no diagnosis of this level and above, unless it was settled
  --compare OTHER    the same steps as another run
  --json             one JSON object
  --junit FILE       write JUnit XML, too
  -f, --follow       wait for the end of a run that is still being written`,
  parse,
  run: async (given, { open }) => (await import('../checkCommand')).check(given, await open()),
};

function parse(words: readonly string[]): CheckOptions {
  const { values, positionals, tokens } = parsed(withNegatedTerms(words), options);
  const [first, , ...more] = positionals;
  const expectations = expectationsIn(tokens);
  if (first === '' || (first === undefined && expectations.length > 0)) {
    throw new UsageError('Name the run to check: a file, a saved session, or -.');
  }
  if (more.length > 0) throw new UsageError(`Name one run only; "${more.join(' ')}" is one too many.`);
  const { junit } = values;
  if (junit === '') throw new UsageError('Give --junit the path of a file.');
  return {
    names: positionals,
    expectations,
    json: values.json ?? false,
    ...(junit !== undefined && { junit }),
    follow: values.follow ?? false,
  };
}

/** A query may begin with a term that is negated: `--expect -level:warning`. */
function withNegatedTerms(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const word of words) {
    const before = joined.at(-1) ?? '';
    const isTerm = /^-[^-]/.test(word) && word !== '-f';
    if (isTerm && (before === '--expect' || before === '--spans')) joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** The subjects of expectations, by their option. */
const subjectsByOption: ReadonlyMap<string, (typeof subjects)[number]> = new Map([
  ['expect', 'expect'],
  ['spans', 'spans'],
  ['no-problems', 'noProblems'],
  ['compare', 'compare'],
]);

function expectationsIn(tokens: Parsed<OptionTypes>['tokens']): readonly WrittenExpectation[] {
  const found: { -readonly [K in keyof WrittenExpectation]: WrittenExpectation[K] }[] = [];
  for (const { name, value } of tokens) {
    const subject = subjectsByOption.get(name);
    if (subject) found.push({ [subject]: value });
    if (name !== 'min' && name !== 'max') continue;
    const last = found.at(-1);
    if (!last) throw new UsageError(`--${name} comes after the expectation that it is for.`);
    if (last[name] !== undefined) throw new UsageError(`--${name} is given twice for one expectation. Remove one.`);
    last[name] = value;
  }
  return found;
}
