import type { Words } from '../../text/translator';
import { HumanError } from '../../text/humanError';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { Threshold } from '../../text/level';
import type { JsonObject, RequestId } from '../../text/json';
import type { OpenRequest } from '../../work/requests';

/** The effect of a level change on the agent. */
export type AgentLevelResult = 'applied' | 'unsupported' | 'needs-restart' | 'failed';

/** Sends the user's requests to the agent and answers the agent's requests. Doesn't log anything. */
export interface AgentClient {
  /** Sessions with turns, if the protocol has them. */
  readonly sessions?: SessionClient;
  /** Callable tools, if the protocol has them. */
  readonly tools?: ToolClient;
  /**
   * Initializes the agent and requests logs of a level. Returns what the agent says about itself.
   * @throws Error if its response is invalid
   */
  initialize(level: Threshold, token: CancellationToken): Promise<JsonObject>;
  setLevel(level: Threshold): Promise<AgentLevelResult>;
  /** Asks the agent to cancel a request. The agent may continue anyway. */
  cancelRequest(requestId: RequestId): Promise<void>;
  /** Called before the agent is stopped: cancels its work and dismisses its questions. */
  prepareStop(open: readonly OpenRequest[]): Promise<void>;
  /**
   * Called when the agent will send no more: handles what it has sent, and fails open requests.
   * @param how how it ended, in words, if known
   */
  finish(how: Words | undefined): Promise<void>;
}

/**
 * A client that sends nothing.
 * @param noCancel why requests can't be cancelled
 */
export function silentClient(noCancel: Words): AgentClient {
  return {
    initialize: () => Promise.resolve({}),
    setLevel: () => Promise.resolve('unsupported'),
    cancelRequest: () => Promise.reject(new HumanError(noCancel)),
    prepareStop: () => Promise.resolve(),
    finish: () => Promise.resolve(),
  };
}

/** A session that the agent can restore. */
export interface EarlierSession {
  readonly sessionId: string;
  /** The folder it worked in. */
  readonly cwd: string | undefined;
  readonly title: string | undefined;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number | undefined;
}

export interface SessionClient {
  /** True if the agent supports closing sessions. */
  readonly canCloseSessions: boolean;
  /** True if the agent can list and restore earlier sessions. */
  readonly canResumeSessions: boolean;
  /** Whether the client has opened or resumed the session. Agents may log about others. */
  hasOpened(sessionId: string): boolean;
  /** Whether the session is that of a running subagent that can be cancelled on its own. */
  canCancelSubagent(sessionId: string): boolean;
  /** Opens a session in a folder. Returns its ID. */
  newSession(cwd: string, token?: CancellationToken): Promise<string>;
  /** The agent's earlier sessions in a folder. */
  listSessions(cwd: string, token?: CancellationToken): Promise<readonly EarlierSession[]>;
  resumeSession(sessionId: string, cwd: string, token?: CancellationToken): Promise<void>;
  /** Runs one turn. Returns its stop reason. */
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>;
  cancelTurn(sessionId: string): Promise<void>;
  closeSession(sessionId: string): Promise<void>;
  setMode(sessionId: string, modeId: string): Promise<void>;
}

/** A tool as described by its server (MCP "Tools"). */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
}

/** The progress of a call (MCP "Progress"). */
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
   * Calls a tool. Returns its result unchanged, which may have `isError`.
   * @throws Cancelled as soon as it is cancelled, without waiting for the server
   */
  callTool(name: string, args: JsonObject, options?: ToolCallOptions): Promise<JsonObject>;
}
