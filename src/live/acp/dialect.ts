import type { Threshold } from '../../text/level';
import { modeOption } from '../../protocols/acp/sessionInfo';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';

export type AcpVersion = 1 | 2;

interface Call {
  readonly method: string;
  readonly params: JsonObject;
}

/** The transports that an agent can be given servers with. */
export interface McpTransports {
  readonly stdio: boolean;
  readonly http: boolean;
  readonly sse: boolean;
}

/** The differences between the versions of ACP, for a client. */
export interface Dialect {
  readonly version: AcpVersion;
  /** Whether a turn ends with the answer to its prompt, rather than with `state_update`. */
  readonly endsWithAnswer: boolean;
  logIn(methodId: string): Call;
  /** Whether the agent supports `session/close`. */
  canClose(initialized: JsonObject): boolean;
  /** The request that restores an earlier session, with its history if possible; `undefined` if the agent can't list or restore sessions. */
  resuming(initialized: JsonObject): Call | undefined;
  setOption(configId: string, value: string): JsonObject;
  /** The transports of the MCP servers that the agent can be given. */
  mcpTransports(initialized: JsonObject): McpTransports;
}

export const dialects: Readonly<Record<AcpVersion, Dialect>> = {
  1: {
    version: 1,
    endsWithAnswer: true,
    logIn: (methodId) => ({ method: 'authenticate', params: { methodId } }),
    canClose: ({ agentCapabilities }) =>
      isObject(objectOf(objectOf(agentCapabilities)['sessionCapabilities'])['close']),
    resuming: ({ agentCapabilities }) => {
      const { loadSession, sessionCapabilities } = objectOf(agentCapabilities);
      const { list, resume } = objectOf(sessionCapabilities);
      if (!isObject(list)) return undefined;
      if (loadSession === true) return { method: 'session/load', params: {} };
      return isObject(resume) ? { method: 'session/resume', params: {} } : undefined;
    },
    setOption: (configId, value) => ({ configId, value }),
    mcpTransports: ({ agentCapabilities }) => {
      const { http, sse } = objectOf(objectOf(agentCapabilities)['mcpCapabilities']);
      return { stdio: true, http: http === true, sse: sse === true };
    },
  },
  2: {
    version: 2,
    endsWithAnswer: false,
    logIn: (methodId) => ({ method: 'auth/login', params: { methodId } }),
    canClose: ({ capabilities }) => isObject(objectOf(capabilities)['session']),
    resuming: ({ capabilities }) =>
      isObject(objectOf(capabilities)['session'])
        ? { method: 'session/resume', params: { replayFrom: { type: 'start' } } }
        : undefined,
    setOption: (configId, value) => ({ configId, type: 'id', value }),
    mcpTransports: ({ capabilities }) => {
      const { stdio, http } = objectOf(objectOf(objectOf(capabilities)['session'])['mcp']);
      return { stdio: isObject(stdio), http: isObject(http), sse: false };
    },
  },
};

/** The version in the agent's answer, if we support it. */
export function spokenVersion({ protocolVersion }: JsonObject): AcpVersion | undefined {
  return protocolVersion === 1 || protocolVersion === 2 ? protocolVersion : undefined;
}

/**
 * The parameters of `initialize`. An offer of version 2 also has version 1's fields, for agents that fall back.
 * @param level requested log level; `off` leaves out the capability
 */
export function initializeParams(version: AcpVersion, level: Threshold, clientInfo: object): JsonObject {
  const logging = level === 'off' ? {} : { logging: { level }, _meta: { 'agent-logs': { logging: { level } } } };
  const ofVersion1 = {
    clientInfo,
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      session: { notices: {}, compaction: {} },
      subagents: {},
      ...logging,
    },
  };
  if (version === 1) return { protocolVersion: 1, ...ofVersion1 };
  return { protocolVersion: 2, info: clientInfo, capabilities: logging, ...ofVersion1 };
}

/**
 * The request that changes a session's mode: `session/set_mode` if the session listed modes, else the option of category `mode`.
 * @param session the latest response or update with its modes or options
 */
export function modeCall(dialect: Dialect, sessionId: string, session: JsonObject, modeId: string): Call {
  const option = textOf(objectOf(session['modes'])['currentModeId']) === undefined ? modeOption(session) : undefined;
  if (!option) return { method: 'session/set_mode', params: { sessionId, modeId } };
  return { method: 'session/set_config_option', params: { sessionId, ...dialect.setOption(option.configId, modeId) } };
}
