import type { JoinedBy } from '../../timeline/joins/call';
import type { Span } from '../../timeline/span';
import type { RunView } from '../runView';

/** What joining needs of a run. */
export type JoinedRun = Pick<RunView, 'id' | 'name' | 'protocol' | 'log'>;

/** A request to an MCP server that a tool call caused, or the call that caused a request. */
export interface FarEnd {
  readonly run: JoinedRun;
  /** In that run. */
  readonly span: Span;
  readonly by: JoinedBy;
}

/** Runs whose protocol has no tool calls of an agent. */
const notAgents: ReadonlySet<string> = new Set(['mcp', 'lsp', 'log']);

export function isServer({ protocol }: Pick<JoinedRun, 'protocol'>): boolean {
  return protocol === 'mcp';
}

/** Whether a run may have tool calls that went to MCP servers. */
export function isAgent({ protocol }: Pick<JoinedRun, 'protocol'>): boolean {
  return !notAgents.has(protocol);
}
