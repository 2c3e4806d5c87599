import { savers } from '../agents/agents';

const columns = 88;

const labels = listOf(
  savers.map(({ label }) => label),
  'and',
);
const ids = listOf(
  savers.map(({ id }) => id),
  'or',
);
const sessions = wrapped(
  `sessions lists the sessions that ${labels} saved on this machine, newest first. Their files are only read.`,
);
const oneAgent = wrapped(`  --agent AGENT      one agent only: ${ids}`, 21);

export const usage = `Usage:
  agent-logs tap [options] -- COMMAND [ARGUMENT...]
  agent-logs tail [options] FILE|SESSION
  agent-logs sessions [options] [FILTER...]
  agent-logs check [options] RUN|CHECKS
  agent-logs check-mcp [--json] [SERVER...]
  agent-logs replay [options] RUN
  agent-logs share [options] RUN > FILE
  agent-logs --help | --version

tap runs an agent for another client, and keeps a journal of what the two say to each
other. Every byte passes as it is; exit code and signals are the agent's own. VS Code
windows with Agent Logs show the run live, if its journal is where they look for it: in
the state folder of this user.

  --name NAME        what the agent is called in the logs (default: the command's name)
  --protocol P       acp, mcp, lsp or stream-json (default: what the first messages are)
  --level LEVEL      ask the agent for logs of this level and above, where the client does
                     not; the client does not get them (ACP only)
  --folder DIR       where the journal goes, if not to the state folder; old journals in
                     DIR are deleted (30 days, 1 GiB)
  --secret-env NAMES environment variables, separated by commas, whose values are kept
                     out of the journal; those with names such as API_KEY always are
  --journal FILE     write the journal to this file, or behind the journal that it is; a
                     file that is there keeps its permissions
  --check FILE       check the run while it is recorded, and report on stderr; exit with 1 if
                     the agent exits with 0 and a check fails

tail prints what an agent logged: a journal, the NDJSON that an agent's command line writes
(stream-json), a session that an agent saved, or the log of any program. FILE may be - for
standard input. SESSION is the id, or the end of the id, of a saved session.

  -f, --follow       go on as the file grows, until the run has ended
  --level LEVEL      this level and above (default: info)
  --session SESSION  one session only, by its title or the end of its id; needed for
                     databases (OpenCode, goose)
  --json             one JSON object to a line
  --protocol P       for a file that does not say: acp, mcp, lsp or stream-json

${sessions}

A FILTER is agent:NAME, folder:NAME, model:NAME or outcome:OUTCOME (completed, failed,
interrupted, open, running), with a part of the name, or a word of the title. A minus
before it leaves out what fits: -outcome:completed.

${oneAgent}
  --folder DIR       only sessions that worked in DIR or below
  --limit N          at most N sessions of each agent (default: 50)
  --json             one JSON object to a line

check tests a run against what is expected of it. RUN is what tail prints: a file, a saved
session, or - for standard input; or a run that a tap recorded, by the end of its id. CHECKS
is a file of checks, which names the run or is followed by it. Without expectations, it is
agent-logs.checks.json. The exit code is 0, 1 if an expectation failed, or 2 if the run cannot
be checked.

  --expect QUERY     at least one record matches a query of the Log tab
  --spans QUERY      at least one turn or step matches a query of the Turns tab
  --min N, --max N   how many have to match the query before it
  --no-problems LEVEL
                     no diagnosis of this level and above, unless it was settled
  --compare OTHER    the same steps as another run
  --json             one JSON object
  --junit FILE       write JUnit XML, too
  -f, --follow       wait for the end of a run that is still being written

check-mcp starts the MCP servers of this folder and user once, as VS Code, Claude Code, Codex
and others have them in their settings, and reports how long each takes, what it has, how
much of a context its tools take, and tools that providers refuse or that look hostile. Only
lists and ping are asked for, each server gets a minute, and nothing logs in. A server that
runs behind the tap isn't started again. The tap's journals also tell how often its tools
failed and how long they took. SERVER is its name in the settings. The exit code is 0, 1 if a
server failed or has errors, or 2 if there is nothing to check.

  --json             one JSON object

replay speaks as the recorded agent, server or stream over standard input and output, so that
a client can be tested without keys. A request that was not recorded gets an error, and the
exit code is 1. Otherwise it is that of the recording.

  --speed N          N times as fast as recorded, or max (default: 1)
  --loose            accept other prompts and arguments, in the order of the recording

share prints a run as one HTML file: the Log Explorer with its records, messages and turns, to
be opened in a browser. Secrets are redacted, tokens that may be secrets are cut, and home
folders and names of users and hosts are replaced.

  --preset PRESET    full, or minimal: without prompts, answers, inputs and outputs of tools,
                     bodies of messages, and standard error (default: full)

Levels: debug info notice warning error critical alert emergency
`;

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
