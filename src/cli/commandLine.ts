import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Level } from '../text/level';
import { levels, parseLevel } from '../text/level';
import type { Protocol } from '../wire/protocol';
import { protocols } from '../wire/protocol';
import type { SaverId } from '../agents/agents';
import { savers } from '../agents/agents';
import type { subjects, WrittenExpectation } from './check/expectation';
import { UsageError } from './usageError';

/** Default of --limit, per agent. */
const defaultSessions = 50;
const presets = ['full', 'minimal'] as const;
const commands = '"tap", "tail", "sessions", "check", "check-mcp", "replay" and "share"';

export interface TapOptions {
  readonly name: string;
  /** Default: detected from the messages. */
  readonly protocol?: Protocol;
  readonly level?: Level;
  readonly journal?: string;
  readonly folder?: string;
  /** The names of environment variables whose values are secret. */
  readonly secretEnv?: readonly string[];
  /** A file of checks for the run. */
  readonly check?: string;
  readonly command: readonly string[];
}

export interface TailOptions {
  readonly file: string;
  readonly follow: boolean;
  readonly level: Level;
  readonly session?: string;
  readonly json: boolean;
  readonly protocol?: Protocol;
}

export interface SessionsOptions {
  /** One agent only. */
  readonly agent?: SaverId;
  /** Only sessions that worked in this folder, or below. */
  readonly folder?: string;
  /** Such as `outcome:failed`; empty for all. */
  readonly filter: string;
  readonly limit: number;
  readonly json: boolean;
}

export interface CheckOptions {
  /** The run (a file, the end of an ID, or `-`); or a file of checks, which may be followed by the run. */
  readonly names: readonly string[];
  /** As written: reading them needs the query languages, which the tap doesn't. */
  readonly expectations: readonly WrittenExpectation[];
  readonly json: boolean;
  /** Where to write JUnit's XML. */
  readonly junit?: string;
  /** Waits for the end of a run that is still being written. */
  readonly follow: boolean;
}

export interface CheckMcpOptions {
  /** The names of the servers; all that are switched on if there are none. */
  readonly servers: readonly string[];
  readonly json: boolean;
}

export interface ReplayOptions {
  /** A file, or the end of the ID of a run that a tap recorded. */
  readonly run: string;
  /** 2 is twice as fast as recorded; `Infinity` doesn't wait. */
  readonly speed: number;
  /** Whether other prompts and arguments are accepted. */
  readonly loose: boolean;
}

export interface ShareOptions {
  /** A file, or the end of the ID of a session or of a run that a tap recorded. */
  readonly run: string;
  /** What is in the file. */
  readonly preset: (typeof presets)[number];
}

/** A parsed command line. */
export type Command =
  | ({ readonly type: 'tap' } & TapOptions)
  | ({ readonly type: 'tail' } & TailOptions)
  | ({ readonly type: 'sessions' } & SessionsOptions)
  | ({ readonly type: 'check' } & CheckOptions)
  | ({ readonly type: 'check-mcp' } & CheckMcpOptions)
  | ({ readonly type: 'replay' } & ReplayOptions)
  | ({ readonly type: 'share' } & ShareOptions)
  | { readonly type: 'help' }
  | { readonly type: 'version' };

/**
 * Parses the arguments after the program's name.
 * @throws UsageError
 */
export function parseCommandLine(words: readonly string[]): Command {
  const [first, ...rest] = words;
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (first === undefined) throw new UsageError(`Name a command: ${commands}.`);
  if (['--help', '-h', 'help'].includes(first) || own.includes('--help') || own.includes('-h')) return { type: 'help' };
  if (first === '--version' || first === '-V') return { type: 'version' };
  if (first === 'tap') return { type: 'tap', ...parseTap(rest) };
  if (first === 'tail') return { type: 'tail', ...parseTail(rest) };
  if (first === 'sessions') return { type: 'sessions', ...parseSessions(rest) };
  if (first === 'check') return { type: 'check', ...parseCheck(rest) };
  if (first === 'check-mcp') return { type: 'check-mcp', ...parseCheckMcp(rest) };
  if (first === 'replay') return { type: 'replay', ...parseReplay(rest) };
  if (first === 'share') return { type: 'share', ...parseShare(rest) };
  throw new UsageError(`Unknown command "${first}". The commands are ${commands}.`);
}

function parseTap(words: readonly string[]): TapOptions {
  const split = words.indexOf('--');
  const { values, positionals } = parsed(split < 0 ? words : words.slice(0, split), {
    name: { type: 'string' },
    protocol: { type: 'string' },
    level: { type: 'string' },
    journal: { type: 'string' },
    folder: { type: 'string' },
    'secret-env': { type: 'string' },
    check: { type: 'string' },
  });
  const command = split < 0 ? [] : words.slice(split + 1);
  const [stray] = positionals;
  if (stray !== undefined) throw new UsageError(`"${stray}" is no option. The agent's command goes after " -- ".`);
  const [program] = command;
  if (program === undefined || program === '') throw new UsageError('Give the agent\'s command after " -- ".');
  const { name, journal, folder, 'secret-env': secretEnv, check } = values;
  if (journal === '') throw new UsageError('Give --journal the path of a file.');
  if (folder === '') throw new UsageError('Give --folder the path of a folder.');
  if (check === '') throw new UsageError('Give --check the path of a file of checks.');
  if (journal !== undefined && folder !== undefined) throw new UsageError('Give --journal or --folder, not both.');
  const level = levelOf(values.level);
  const protocol = protocolOf(values.protocol) ?? (level === undefined ? undefined : 'acp');
  if (level !== undefined && protocol !== 'acp') {
    throw new UsageError(`--level declares logging in ACP's way; there is none for ${protocol}. Leave it out.`);
  }
  return {
    name: name === undefined || name.trim() === '' ? basename(program) : name,
    ...(protocol !== undefined && { protocol }),
    ...(level !== undefined && { level }),
    ...(journal !== undefined && { journal }),
    ...(folder !== undefined && { folder }),
    ...(secretEnv !== undefined && { secretEnv: secretEnv.split(',').filter((variable) => variable !== '') }),
    ...(check !== undefined && { check }),
    command,
  };
}

function parseTail(words: readonly string[]): TailOptions {
  const { values, positionals } = parsed(words, {
    follow: { type: 'boolean', short: 'f' },
    level: { type: 'string' },
    session: { type: 'string' },
    json: { type: 'boolean' },
    protocol: { type: 'string' },
  });
  const [file, ...more] = positionals;
  if (file === undefined || file === '') throw new UsageError('Name the file to print, or - for standard input.');
  if (more.length > 0) throw new UsageError(`Name one file only; "${more.join(' ')}" is one too many.`);
  const protocol = protocolOf(values.protocol);
  const { session } = values;
  return {
    file,
    follow: values.follow ?? false,
    level: levelOf(values.level) ?? 'info',
    ...(session !== undefined && { session }),
    json: values.json ?? false,
    ...(protocol !== undefined && { protocol }),
  };
}

function parseSessions(words: readonly string[]): SessionsOptions {
  // These aren't options.
  const isNegated = (word: string): boolean => /^-[a-z]+:/i.test(word);
  const { values, positionals } = parsed(
    words.filter((word) => !isNegated(word)),
    {
      agent: { type: 'string' },
      folder: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean' },
    },
  );
  const known = savers.map(({ id }) => id);
  const agent = known.find((id) => id === values.agent);
  if (values.agent !== undefined && agent === undefined) {
    throw new UsageError(`Unknown agent "${values.agent}". The agents are ${known.join(', ')}.`);
  }
  const limit = Number(values.limit ?? defaultSessions);
  if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError('Give --limit a whole number above 0.');
  return {
    ...(agent !== undefined && { agent }),
    ...(values.folder !== undefined && { folder: resolve(values.folder) }),
    filter: [...positionals, ...words.filter(isNegated)].map(quoted).join(' '),
    limit,
    json: values.json ?? false,
  };
}

function parseReplay(words: readonly string[]): ReplayOptions {
  const { values, positionals } = parsed(words, { speed: { type: 'string' }, loose: { type: 'boolean' } });
  const [run = '', ...more] = positionals;
  if (run === '') throw new UsageError('Name the run to replay: a journal, a transcript or a JSON stream.');
  if (more.length > 0) throw new UsageError(`Name one run only; "${more.join(' ')}" is one too many.`);
  const speed = values.speed === 'max' ? Infinity : Number(values.speed ?? 1);
  if (!(speed > 0)) throw new UsageError('Give --speed a number above 0, or max.');
  return { run, speed, loose: values.loose ?? false };
}

function parseCheckMcp(words: readonly string[]): CheckMcpOptions {
  const { values, positionals } = parsed(words, { json: { type: 'boolean' } });
  return { servers: positionals, json: values.json ?? false };
}

function parseShare(words: readonly string[]): ShareOptions {
  const { values, positionals } = parsed(words, { preset: { type: 'string' } });
  const [run = '', ...more] = positionals;
  if (run === '') throw new UsageError('Name the run to share: a file, a saved session, or a run that a tap recorded.');
  if (more.length > 0) throw new UsageError(`Name one run only; "${more.join(' ')}" is one too many.`);
  const preset = presets.find((known) => known === (values.preset ?? 'full'));
  if (!preset) throw new UsageError(`There is no preset "${values.preset}". The presets are ${presets.join(' and ')}.`);
  return { run, preset };
}

/** `--min` and `--max` belong to the expectation before them. */
function parseCheck(words: readonly string[]): CheckOptions {
  const { values, positionals, tokens } = parsed(withNegatedTerms(words), {
    expect: { type: 'string' },
    spans: { type: 'string' },
    'no-problems': { type: 'string' },
    compare: { type: 'string' },
    min: { type: 'string' },
    max: { type: 'string' },
    json: { type: 'boolean' },
    junit: { type: 'string' },
    follow: { type: 'boolean', short: 'f' },
  });
  const [first = '', , ...more] = positionals;
  if (first === '') throw new UsageError('Name the run to check (a file, a saved session, or -), or a file of checks.');
  if (more.length > 0) throw new UsageError(`Name one run only; "${more.join(' ')}" is one too many.`);
  const { junit } = values;
  if (junit === '') throw new UsageError('Give --junit the path of a file.');
  return {
    names: positionals,
    expectations: expectationsIn(tokens),
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
    last[name] = value;
  }
  return found;
}

/** A word of the shell as one term. */
function quoted(word: string): string {
  const [, key = '', value = ''] = /^(-?(?:[a-z]+:)?)(.*)$/is.exec(word) ?? [];
  return /\s/.test(value) && !value.includes('"') ? `${key}"${value}"` : word;
}

type OptionTypes = Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }>>;
interface Parsed<T extends OptionTypes> {
  readonly values: { readonly [K in keyof T]?: T[K]['type'] extends 'string' ? string : boolean };
  readonly positionals: readonly string[];
  /** The options in their order. */
  readonly tokens: readonly { readonly name: string; readonly value: string | undefined }[];
}

function parsed<const T extends OptionTypes>(words: readonly string[], options: T): Parsed<T> {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    const own = tokens.flatMap((token) => (token.kind === 'option' ? [{ name: token.name, value: token.value }] : []));
    return { values, positionals, tokens: own };
  } catch (error) {
    // The first sentence of Node's message names the option and the problem.
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s/);
    const what = first.replace(/^Option '(.+)' argument is ambiguous.*/s, "Option '$1' needs a value");
    throw new UsageError(`${what.replace(/\.$/, '')}. The options are --${Object.keys(options).join(', --')}.`);
  }
}

function levelOf(word: string | undefined): Level | undefined {
  const level = parseLevel(word);
  if (word !== undefined && level === undefined) {
    throw new UsageError(`There is no level "${word}". The levels are ${levels.join(', ')}.`);
  }
  return level;
}

function protocolOf(word: string | undefined): Protocol | undefined {
  const protocol = protocols.find((known) => known === word);
  if (word !== undefined && protocol === undefined) {
    throw new UsageError(`There is no protocol "${word}". The protocols are ${protocols.join(', ')}.`);
  }
  return protocol;
}
