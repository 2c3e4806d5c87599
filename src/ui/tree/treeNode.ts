import type { LogRecord } from '../../log/record';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import type { DefinitionProblem } from '../../runs/config/agentDefinition';
import type { RunView } from '../../runs/runView';

/** What a row of the tree stands for. `id` is stable, so that selection and expansion survive a refresh. */
export type TreeNode =
  | { readonly type: 'agent'; readonly id: string; readonly name: string }
  /** An entry of the settings that cannot be used. */
  | { readonly type: 'mistake'; readonly id: string; readonly problem: DefinitionProblem }
  | { readonly type: 'run'; readonly id: string; readonly run: RunView }
  /** A session, or without an id the connection. */
  | { readonly type: 'group'; readonly id: string; readonly run: RunView; readonly sessionId: string | undefined }
  | { readonly type: 'request'; readonly id: string; readonly run: RunView; readonly request: OpenRequest }
  | { readonly type: 'record'; readonly id: string; readonly run: RunView; readonly record: LogRecord }
  /** The runs whose journals are on disk. */
  | { readonly type: 'past'; readonly id: string }
  /** So many more of them are not in the tree. */
  | { readonly type: 'morePast'; readonly id: string; readonly count: number }
  | { readonly type: 'older'; readonly id: string; readonly group: GroupNode; readonly count: number };

export type GroupNode = Extract<TreeNode, { type: 'group' }>;

const types: ReadonlySet<unknown> = new Set([
  'agent',
  'mistake',
  'run',
  'group',
  'request',
  'record',
  'past',
  'morePast',
  'older',
] satisfies TreeNode['type'][]);

/** Whether a command was given a row of the tree. */
export function isTreeNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && 'id' in value && 'type' in value && types.has(value.type);
}

export function agentNodeId(name: string): string {
  return `agent:${name}`;
}

export function runNodeId(run: RunView): string {
  return `run:${run.id}`;
}

export function groupNodeId(run: RunView, sessionId: string | undefined): string {
  return sessionId === undefined ? `connection:${run.id}` : `session:${run.id}:${sessionId}`;
}

/** An agent as a row, likewise. */
export function agentNode(name: string): TreeNode {
  return { type: 'agent', id: agentNodeId(name), name };
}

/** A run as a row, for a command that is called from a button: like a row's, its errors are told to the person. */
export function runNode(run: RunView): TreeNode {
  return { type: 'run', id: runNodeId(run), run };
}
