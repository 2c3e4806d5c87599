import type { AgentContext } from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';

/** The eight severities of RFC 5424, least severe first. */
export const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** Severity of a log message. */
export type Level = (typeof levels)[number];

/** Minimum severity that a client requests, or `off` for no logs. */
export type Threshold = Level | 'off';

const thresholds: readonly Threshold[] = [...levels, 'off'];

/** The level if the client supports logs but names none, as in the logging proposal (agent-client-protocol#392). */
const defaultLevel: Threshold = 'info';

/** Changes the level of a running connection. Not part of ACP; name and parameters are MCP's, up to 2025-11-25. */
export const setLevelMethod = 'logging/setLevel';

/** Key in `_meta` for fields that aren't part of ACP, as its extensibility rules require. */
export const namespace = 'agent-logs';

/** The client, and what it asked for. */
export class Connection {
  /** Nothing is logged until the client requests a level. */
  threshold: Threshold = 'off';
  /** Whether the client shows notices (`clientCapabilities.session.notices`). */
  notices = false;

  constructor(readonly client: AgentContext) {}

  /**
   * Sends a `log` notification (proposed in agent-client-protocol#392), for a session or the connection. Resolves once it is handed to the
   * connection, or with `false` if the client requested a higher level.
   */
  async log(level: Level, logger: string, message: string, data?: unknown, sessionId?: string): Promise<boolean> {
    if (thresholds.indexOf(level) < thresholds.indexOf(this.threshold)) return false;
    const timestamp = new Date().toISOString();
    await this.client.notify('log', { level, sessionId, logger, message, timestamp, data });
    return true;
  }
}

/** The parts of `initialize` that the sample agent uses. */
export interface Greeting {
  readonly clientInfo: { readonly title?: string; readonly name?: string };
  readonly notices: boolean;
  readonly threshold: Threshold;
  /** The requested level if it isn't one of the nine. */
  readonly unknownLevel?: unknown;
}

/** Parses the parameters of `initialize`. The SDK's parser would drop `clientCapabilities.logging`, which is only a proposal. */
export function parseInitialize(params: unknown): Greeting {
  const { clientInfo, clientCapabilities } = fieldsOf(params);
  const { logging, session, _meta } = fieldsOf(clientCapabilities);
  const ours = fieldsOf(_meta)[namespace];
  const asked = [logging, fieldsOf(ours)['logging']].filter(isFields);
  const level = asked.map((one) => one['level']).find((one) => one !== undefined);
  return {
    clientInfo: fieldsOf(clientInfo),
    notices: Boolean(fieldsOf(session)['notices']),
    threshold: isThreshold(level) ? level : asked.length > 0 ? defaultLevel : 'off',
    ...(level !== undefined && !isThreshold(level) && { unknownLevel: level }),
  };
}

/** Parses the parameters of {@link setLevelMethod}. */
export function parseSetLevel(params: unknown): Threshold {
  const { level } = fieldsOf(params);
  if (isThreshold(level)) return level;
  throw RequestError.invalidParams({ level }, `level must be one of ${thresholds.join(', ')}`);
}

type Fields = Readonly<Record<string, unknown>>;

function isThreshold(value: unknown): value is Threshold {
  return thresholds.some((threshold) => threshold === value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
