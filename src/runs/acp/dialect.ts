import type { Threshold } from '../../log/level';
import { modeOption } from '../../protocols/acp/sessionModes';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf, textOf } from '../../protocols/json';

export type AcpVersion = 1 | 2;

interface Call {
  readonly method: string;
  readonly params: JsonObject;
}

/** What differs between the versions of ACP when a client speaks. */
export interface Dialect {
  /** Whether the answer to a prompt ends its turn; else `state_update` does. */
  readonly endsWithAnswer: boolean;
  logIn(methodId: string): Call;
  /** Whether the agent has `session/close`. */
  canClose(initialized: JsonObject): boolean;
  setOption(configId: string, value: string): JsonObject;
}

export const dialects: Readonly<Record<AcpVersion, Dialect>> = {
  1: {
    endsWithAnswer: true,
    logIn: (methodId) => ({ method: 'authenticate', params: { methodId } }),
    canClose: ({ agentCapabilities }) =>
      isObject(objectOf(objectOf(agentCapabilities)['sessionCapabilities'])['close']),
    setOption: (configId, value) => ({ configId, value }),
  },
  2: {
    endsWithAnswer: false,
    logIn: (methodId) => ({ method: 'auth/login', params: { methodId } }),
    canClose: ({ capabilities }) => isObject(objectOf(capabilities)['session']),
    setOption: (configId, value) => ({ configId, type: 'id', value }),
  },
};

/** The version that an agent answered, if it is one of ours. */
export function spokenVersion({ protocolVersion }: JsonObject): AcpVersion | undefined {
  return protocolVersion === 1 || protocolVersion === 2 ? protocolVersion : undefined;
}

/**
 * The parameters of `initialize`. An offer of version 2 has version 1's fields, too: agents that fall back read those.
 * @param level what logs are asked for; no capability if it is `off`
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
 * How to change a session's mode: with `session/set_mode` if it listed modes, else with the option of category `mode`.
 * @param session the latest answer or update that has its modes or options
 */
export function modeCall(dialect: Dialect, sessionId: string, session: JsonObject, modeId: string): Call {
  const option = textOf(objectOf(session['modes'])['currentModeId']) === undefined ? modeOption(session) : undefined;
  if (!option) return { method: 'session/set_mode', params: { sessionId, modeId } };
  return { method: 'session/set_config_option', params: { sessionId, ...dialect.setOption(option.configId, modeId) } };
}
