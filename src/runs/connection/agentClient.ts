import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { Threshold } from '../../log/level';
import type { JsonObject, RequestId } from '../../protocols/json';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';

/** What a change of level did at the agent. */
export type AgentLevelResult = 'applied' | 'unsupported' | 'needs-restart' | 'failed';

/** The part of a run that speaks: it sends what a person asks for, and answers what the agent asks. It keeps no log. */
export interface AgentClient {
  /** Sessions with turns, where the protocol has them. */
  readonly sessions?: SessionClient;
  /** Tools that can be called, where the protocol has them. */
  readonly tools?: ToolClient;
  /**
   * Greets the agent, and asks it for logs of a level; answers what it says of itself.
   * @throws Error when it does not answer as the protocol wants
   */
  initialize(level: Threshold, token: CancellationToken): Promise<JsonObject>;
  setLevel(level: Threshold): Promise<AgentLevelResult>;
  /** Asks the agent to cancel a request. It may go on regardless. */
  cancelRequest(requestId: RequestId): Promise<void>;
  /** We are about to stop the agent: cancels its work, and dismisses its questions. */
  prepareStop(open: readonly OpenRequest[]): Promise<void>;
  /**
   * The agent will send no more: settles what it has sent, and fails what is open.
   * @param how it ended, in words, if that is known
   */
  finish(how: string | undefined): Promise<void>;
}

export interface SessionClient {
  /** Whether the agent offers to close sessions. */
  readonly canCloseSessions: boolean;
  /** Opens a session in a folder; answers its id. */
  newSession(cwd: string, token?: CancellationToken): Promise<string>;
  /** Runs one turn; answers its stop reason. */
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>;
  cancelTurn(sessionId: string): Promise<void>;
  closeSession(sessionId: string): Promise<void>;
  setMode(sessionId: string, modeId: string): Promise<void>;
}

/** A tool as its server describes it (MCP "Tools"). */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject;
}

/** How far a call is (MCP "Progress"). */
export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ToolCallOptions {
  readonly token?: CancellationToken;
  readonly onProgress?: (progress: ToolProgress) => void;
}

export interface ToolClient {
  listTools(token?: CancellationToken): Promise<readonly Tool[]>;
  /**
   * Calls a tool; answers its result as it came, which may say `isError`.
   * @throws Cancelled as soon as it is cancelled, without waiting for the server
   */
  callTool(name: string, args: JsonObject, options?: ToolCallOptions): Promise<JsonObject>;
}
