import type { JsonObject } from '../../text/json';

/** What the manifest says of a language model tool. Its name and description for people are in `package.nls.json`. */
export interface LmToolEntry {
  /** Its name in prompts, after `#`. */
  readonly reference: string;
  readonly icon: string;
  /** A tag. */
  readonly subject: 'logs' | 'mcp';
  readonly modelDescription: string;
  /** The properties of its input, as JSON schemas. */
  readonly input: JsonObject;
}

const run = { type: 'string', description: 'A run ID, or an agent name for its newest run. Default: the newest run.' };

/** The tools with which a chat agent reads what other agents logged, by the last part of their names. */
export const lmTools = {
  listRuns: {
    reference: 'agentRuns',
    icon: 'list-unordered',
    subject: 'logs',
    modelDescription:
      'Lists the runs of AI agents and MCP servers that the Agent Logs extension recorded in this workspace (ACP, MCP and others), and the sessions that agents such as Claude Code, Codex, Gemini CLI and OpenCode saved for its folders, newest first: agent name, run ID, start time, whether it is running or how it ended (exit code, signal), and the number of records per level. Use it first to find out which run a question is about. It reads only.',
    input: {},
  },
  searchRecords: {
    reference: 'agentRecords',
    icon: 'search',
    subject: 'logs',
    modelDescription:
      'Searches what one run of an AI agent or MCP server, or one saved session, logged and did: log messages, standard error, tool calls, turns, diagnosed failures. Returns the newest matching records, oldest first, one per line: number, time, level, kind, session, logger, message, data. Secrets are redacted, session IDs are shortened, and the result is cut to 16 KB; it says how to get older records. It reads only.',
    input: {
      run: run,
      query: {
        type: 'string',
        description:
          'Words in the message or logger, and key:value terms; all must match. level:warning (and above) or level:=info, kind:stderr,activity (log, notice, stderr, activity, lifecycle, diagnosis, wire), session: (title or last 8 characters of the ID, or none), logger:http*, since:10m or since:2026-11-22T12:04, until:, is:problem, has:data, raw:text, seq:100..200. A minus negates, quotes keep words together, /regex/i works.',
      },
      before: { type: 'integer', description: 'Only records with a smaller number than this; use it to page back.' },
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'Maximum number of records.' },
    },
  },
  listTurns: {
    reference: 'agentTurns',
    icon: 'list-tree',
    subject: 'logs',
    modelDescription:
      "Lists the turns of one run of an AI agent, or of one saved session, and what is in them: tool calls, permission requests, subagents, compactions, hooks. Each turn has its outcome and where its time went (model, tools, waiting for the user), its retries and tokens; each part has its duration and outcome, such as an exit code. Use it for questions such as 'why was that slow?', 'what did it do?', 'which tool calls failed?' or 'how many tokens did it use?'. #14..16 are the numbers of a span's records: search for seq:14..16 to read them. Returns the newest turns, oldest first, cut to 16 KB; it says how to get older ones. It reads only.",
    input: {
      run: run,
      session: {
        type: 'string',
        description: 'Only turns of this session: its title or the last 8 characters of its ID. Default: all sessions.',
      },
      before: {
        type: 'integer',
        description: 'Only turns that began before the record with this number; use it to page back.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10, description: 'Maximum number of turns.' },
    },
  },
  explainTermination: {
    reference: 'agentTermination',
    icon: 'question',
    subject: 'logs',
    modelDescription:
      "Explains why a run of an AI agent or MCP server failed or ended: reason, exit code or signal, first and last lines of standard error, unanswered requests, the last warnings and errors, and its last activity. Use it for questions such as 'why did my agent fail?' or 'why does it hang?'; it also works for runs that are still running. It reads only.",
    input: { run: run },
  },
  checkMcpServers: {
    reference: 'agentMcpServers',
    icon: 'checklist',
    subject: 'mcp',
    modelDescription:
      "Starts the MCP servers in the settings of the user's agents and editors (VS Code, Claude Code, Codex, Gemini CLI and others) once, after the user has confirmed, and reports on each: whether it starts and how long that takes, versions, numbers of tools, prompts and resources, the estimated tokens of its list of tools, tools that model providers refuse or agents cut or drop, confusable names, suspicious descriptions, and advice. It calls no tool of these servers. Use it for questions such as 'why are my MCP tools missing?', 'why is this server slow to start?' or 'which server fills my context?'. Takes up to a minute; the result is cut to 16 KB.",
    input: {
      servers: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of servers in the settings. Default: all that are switched on.',
      },
    },
  },
} as const satisfies Readonly<Record<string, LmToolEntry>>;

export type LmToolName = `agentLogs_${keyof typeof lmTools}`;
