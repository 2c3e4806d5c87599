/** What a model is told about an input of a tool, as a JSON schema. */
export type InputSchema =
  | { readonly type: 'string'; readonly description: string }
  | {
      readonly type: 'integer';
      readonly minimum: number;
      readonly maximum: number;
      readonly default: number;
      readonly description: string;
    }
  | { readonly type: 'array'; readonly items: { readonly type: 'string' }; readonly description: string };

/** What a model is told about a tool. */
export interface AnswerTool {
  readonly title: string;
  readonly description: string;
  readonly input: Readonly<Record<string, InputSchema>>;
  /** Names of inputs. */
  readonly required?: readonly string[];
}

const run: InputSchema = {
  type: 'string',
  description:
    'ID of a run, ID of a session or its last 8 characters, or the name of an agent or a session for its newest run. Default: the newest run.',
};
const session: InputSchema = {
  type: 'string',
  description: 'Only this session: its title or the last 8 characters of its ID. Default: all sessions of the run.',
};
const cursor: InputSchema = {
  type: 'string',
  description: 'Continues an answer that was too long: the cursor that it ends with.',
};

function limit(maximum: number, usual: number, what: string): InputSchema {
  return { type: 'integer', minimum: 1, maximum, default: usual, description: `Maximum number of ${what}.` };
}

const checked =
  "whether it starts and how long that takes, versions, numbers of tools, prompts and resources, the estimated tokens of its list of tools, tools that model providers refuse or agents cut or drop, confusable names, suspicious descriptions, failed and slow calls, and advice. Use it for questions such as 'why are my MCP tools missing?', 'why is this server slow to start?' or 'which server fills my context?'.";
const settings =
  "the MCP servers in the settings of the user's agents and editors (VS Code, Claude Code, Codex, Gemini CLI and others)";

/** What the tool for MCP servers does where the user can confirm that servers are started. */
export const checksByStarting = `Starts ${settings} once, after the user has confirmed, and reports on each: ${checked} It calls no tool of these servers, and takes up to a minute.`;

/** The tools with which an agent reads what it or another agent did. */
export const answerTools = {
  list_runs: {
    title: 'List agent runs',
    description:
      'Lists the runs of AI agents and MCP servers that Agent Logs recorded (ACP, MCP and others), and the sessions that agents such as Claude Code, Codex, Gemini CLI and OpenCode saved, newest first: name, run ID, agent, start time, whether it is running or how it ended, folder, model, and the number of records per level. Use it first to find out which run a question is about. The session that asks is left out. It reads only.',
    input: {
      filter: {
        type: 'string',
        description:
          'Words of the title or name, and key:value terms with a part of the value; all must match. agent:codex, folder:bookshop, model:opus, outcome:failed (completed, failed, interrupted, open, running). A minus negates, quotes keep words together.',
      },
      limit: limit(50, 25, 'runs'),
      cursor,
    },
  },
  read_records: {
    title: 'Search agent logs',
    description:
      'Searches what one run of an AI agent or MCP server, or one saved session, logged and did: log messages, standard error, tool calls, turns, diagnosed failures. Returns the newest matching records, oldest first, one per line: number, time, level, kind, session, logger, message, data. Secrets are redacted, session IDs are shortened, and the answer is cut to 16 KB; it says how to get older records. It reads only.',
    input: {
      run,
      query: {
        type: 'string',
        description:
          'Words in the message or logger, and key:value terms; all must match. level:warning (and above) or level:=info, kind:stderr,activity (log, notice, stderr, activity, lifecycle, diagnosis, wire), session: (title or last 8 characters of the ID, or none), logger:http*, file:src/a.ts (calls that changed a file), since:10m or since:2026-11-22T12:04, until:, is:problem, has:data, raw:text, seq:100..200. A minus negates, quotes keep words together, /regex/i works.',
      },
      limit: limit(200, 50, 'records'),
      cursor,
    },
  },
  read_turns: {
    title: 'List agent turns',
    description:
      "Lists the turns of one run of an AI agent, or of one saved session, and what is in them: tool calls, permission requests, subagents, compactions, hooks. Each turn has its outcome and where its time went (model, tools, waiting for the user), its retries and tokens; each part has its duration and outcome, such as an exit code. Use it for questions such as 'why was that slow?', 'what did it do?', 'which tool calls failed?' or 'how many tokens did it use?'. #14..16 are the numbers of a span's records: search for seq:14..16 to read them. Returns the newest turns, oldest first, cut to 16 KB; it says how to get older ones. It reads only.",
    input: { run, session, limit: limit(100, 10, 'turns'), cursor },
  },
  problems: {
    title: 'Explain why an agent failed',
    description:
      "Explains what went wrong in one run of an AI agent or MCP server, or in one saved session: each problem with its cause, the records that show it, and what to do; how the run ended (reason, exit code or signal, lines of standard error), unanswered requests, warnings and errors, and its last activity. Use it for questions such as 'why did my agent fail?', 'why did the session stop?' or 'why does it hang?'; it also works for runs that are still running. Quote the cause and the evidence. It reads only.",
    input: { run, session, cursor },
  },
  compare_runs: {
    title: 'Compare agent runs',
    description:
      "Compares two runs of AI agents, or saved sessions: turns, durations, tokens, calls and errors of each tool, and the first step in which they differ with the steps after it. Use it for questions such as 'why did it work yesterday?' or 'what does this model do differently?'. Cut to 16 KB; it says how to get the rest. It reads only.",
    input: {
      run,
      other: { type: 'string', description: 'The run to compare with, named like "run".' },
      cursor,
    },
    required: ['other'],
  },
  check_mcp_servers: {
    title: 'Check MCP servers',
    description: `Reports on ${settings}, as far as their recorded runs say. It starts none: ${checked} It reads only.`,
    input: {
      servers: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of servers in the settings. Default: all that are switched on.',
      },
      cursor,
    },
  },
} as const satisfies Readonly<Record<string, AnswerTool>>;

export type AnswerToolName = keyof typeof answerTools;

export function isAnswerTool(name: string): name is AnswerToolName {
  return Object.hasOwn(answerTools, name);
}

/** The inputs of a tool, as a JSON schema. */
export function inputSchemaOf({ input, required }: AnswerTool): {
  readonly type: 'object';
  readonly properties: AnswerTool['input'];
  readonly required?: string[];
} {
  return { type: 'object', properties: input, ...(required && { required: [...required] }) };
}
