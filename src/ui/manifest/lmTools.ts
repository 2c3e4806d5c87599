import type { AnswerToolName } from '../../answers/tools';

/** What the manifest says of a language model tool. Its name and description for people are in `package.nls.json`, what models read in `answers/tools`. */
export interface LmToolEntry {
  readonly answer: AnswerToolName;
  /** Its name in prompts, after `#`. */
  readonly reference: string;
  readonly icon: string;
  /** A tag. */
  readonly subject: 'logs' | 'mcp';
  /** Whether it starts MCP servers, which the user confirms first. */
  readonly startsServers?: true;
}

/** The tools with which a chat agent reads what other agents logged, by the last part of their names. */
export const lmTools = {
  listRuns: { answer: 'list_runs', reference: 'agentRuns', icon: 'list-unordered', subject: 'logs' },
  searchRecords: { answer: 'read_records', reference: 'agentRecords', icon: 'search', subject: 'logs' },
  listTurns: { answer: 'read_turns', reference: 'agentTurns', icon: 'list-tree', subject: 'logs' },
  explainTermination: { answer: 'problems', reference: 'agentTermination', icon: 'question', subject: 'logs' },
  compareRuns: { answer: 'compare_runs', reference: 'agentComparison', icon: 'diff', subject: 'logs' },
  checkMcpServers: {
    answer: 'check_mcp_servers',
    reference: 'agentMcpServers',
    icon: 'checklist',
    subject: 'mcp',
    startsServers: true,
  },
} as const satisfies Readonly<Record<string, LmToolEntry>>;
