import { resolve } from 'node:path';
import type { SaverId } from '../../agents/agents';
import { savers } from '../../agents/agents';
import type { SumKey } from '../../past/saved/list/usageSums';
import { parseTime } from '../../query/timeValue';
import { parsed } from '../options';
import { filterOf, withoutNegated } from '../sessionWords';
import type { TerminalCommand } from '../terminalCommand';
import { UsageError } from '../usageError';

/** Default of --limit, per agent. */
const defaultSessions = 50;
/** Of the help. */
const columns = 88;

export interface SessionsOptions {
  /** One agent only. */
  readonly agent?: SaverId;
  /** Only sessions that worked in this folder, or below. */
  readonly folder?: string;
  /** Such as `outcome:failed`; empty for all. */
  readonly filter: string;
  readonly limit: number;
  /** Only sessions, and of sums only turns, since then: a time of the query language, such as `7d`. */
  readonly since?: string;
  readonly json: boolean;
  /** Print changes of state until the program is stopped. */
  readonly watch: boolean;
  /** What to add up by, instead of a list. */
  readonly by?: SumKey;
}

const sumKeys: readonly SumKey[] = ['folder', 'branch', 'model', 'skill', 'agent'];

const options = {
  agent: { type: 'string' },
  folder: { type: 'string' },
  limit: { type: 'string' },
  since: { type: 'string' },
  json: { type: 'boolean' },
  watch: { type: 'boolean' },
  by: { type: 'string' },
} as const;

const labels = listOf(
  savers.map(({ label }) => label),
  'and',
);
const ids = listOf(
  savers.map(({ id }) => id),
  'or',
);
const heading = wrapped(
  `sessions lists the sessions that ${labels} saved on this machine, newest first. Their files are only read.`,
);
const oneAgent = `  --agent AGENT      ${wrapped(`${' '.repeat(21)}one agent only: ${ids}`, 21).trimStart()}`;

export const sessions: TerminalCommand<'sessions', SessionsOptions> = {
  name: 'sessions',
  synopsis: '[options] [FILTER...]',
  options,
  help: `${heading}

A FILTER is agent:NAME, folder:NAME, model:NAME or outcome:OUTCOME (completed, failed,
interrupted, open, running), with a part of the name, or a word of the title. A minus
before it leaves out what fits: -outcome:completed.

${oneAgent}
  --folder DIR       only sessions that worked in DIR or below
  --limit N          at most N sessions of each agent (default: 50)
  --since TIME       only what was used since: so long ago (7d, 12h), a date, or a time of day;
                     with --by, only the turns since
  --watch            print changes of state, starting with the sessions that work or wait
  --by KEY           tokens and cost of all that fit, added up by folder, branch, model, skill or
                     agent; subagents with sessions of their own aren't counted
  --json             one JSON object to a line`,
  parse,
  run: async (given, { open }) => {
    const [{ listSessions, watchSessions }, cli] = await Promise.all([import('../sessionsCommand'), open()]);
    return given.watch ? watchSessions(given, cli) : listSessions(given, cli);
  },
};

function parse(words: readonly string[]): SessionsOptions {
  const { values, positionals } = parsed(withoutNegated(words), options);
  const known = savers.map(({ id }) => id);
  const agent = known.find((id) => id === values.agent);
  if (values.agent !== undefined && agent === undefined) {
    throw new UsageError(`Unknown agent "${values.agent}". The agents are ${known.join(', ')}.`);
  }
  const by = sumKeys.find((key) => key === values.by);
  if (values.by !== undefined && by === undefined) {
    throw new UsageError(`"${values.by}" can't be added up by. Give --by one of ${sumKeys.join(', ')}.`);
  }
  if (values.since !== undefined && parseTime(values.since) === undefined) {
    throw new UsageError(`"${values.since}" is no time. Give --since a duration such as 7d, a date, or a time of day.`);
  }
  const limit = Number(values.limit ?? (by === undefined ? defaultSessions : Number.MAX_SAFE_INTEGER));
  if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError('Give --limit a whole number above 0.');
  return {
    ...(agent !== undefined && { agent }),
    ...(values.folder !== undefined && { folder: resolve(values.folder) }),
    filter: filterOf(positionals, words),
    limit,
    ...(values.since !== undefined && { since: values.since }),
    json: values.json ?? false,
    watch: values.watch ?? false,
    ...(by !== undefined && { by }),
  };
}

/** `a, b and c` */
function listOf(names: readonly string[], last: 'and' | 'or'): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].join(` ${last} `);
}

/** @param indent of the lines after the first */
function wrapped(text: string, indent = 0): string {
  const lines = [''];
  for (const word of text.split(/(?<=\S) +/)) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${' '.repeat(indent)}${word}`);
  }
  return lines.join('\n');
}
