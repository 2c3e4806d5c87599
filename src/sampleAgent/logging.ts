import type { AnyMessage, ClientCapabilities, Stream } from '@agentclientprotocol/sdk';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import { TransformStream } from 'node:stream/web';

/** The eight severities of RFC 5424, least severe first. */
export const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** Severity of a log message. */
export type Level = (typeof levels)[number];

/** Minimum severity that a client requests, or `off` for no logs. */
export type Threshold = Level | 'off';

const thresholds: readonly Threshold[] = [...levels, 'off'];

/** Whether the value is one of the nine thresholds. */
function isThreshold(value: unknown): value is Threshold {
  return thresholds.some((threshold) => threshold === value);
}

function reaches(level: Level, threshold: Threshold): boolean {
  return thresholds.indexOf(level) >= thresholds.indexOf(threshold);
}

/** Changes the level of a running connection. Not part of ACP; name and parameters are MCP's, up to 2025-11-25. */
export const setLevelMethod = 'logging/setLevel';

/** Parses the parameters of {@link setLevelMethod}. */
export function parseSetLevel(params: unknown): Threshold {
  const level = typeof params === 'object' && params !== null && 'level' in params ? params.level : undefined;
  if (isThreshold(level)) return level;
  throw RequestError.invalidParams({ level }, `level must be one of ${thresholds.join(', ')}`);
}

/** The part of the SDK's connection that sends notifications. */
export interface Notifier {
  notify(method: string, params: unknown): Promise<void>;
}

/** A log message before it is sent. Without a session, it belongs to the connection. */
export interface LogEntry {
  readonly level: Level;
  readonly logger: string;
  readonly message: string;
  readonly data?: unknown;
  readonly sessionId?: string;
}

/** Sends `log` notifications (proposed in agent-client-protocol#392) at or above the level that the client requested. */
export class LogSender {
  /** Nothing is sent until the client requests a level. */
  threshold: Threshold = 'off';

  constructor(private readonly now: () => Date) {}

  /** Resolves once the message is handed to the connection, or with `false` if it is below the threshold. */
  async send(client: Notifier, entry: LogEntry): Promise<boolean> {
    if (!reaches(entry.level, this.threshold)) return false;
    const { level, sessionId, logger, message, data } = entry;
    await client.notify('log', { level, sessionId, logger, message, timestamp: this.now().toISOString(), data });
    return true;
  }
}

/** Key in `_meta` for fields that aren't part of ACP, as its extensibility rules require. */
export const namespace = 'agent-logs';

/** The level if the client supports logs but names none, as in the logging proposal (agent-client-protocol#392). */
const defaultLevel: Threshold = 'info';

/**
 * Copies `clientCapabilities.logging` to `clientCapabilities._meta["agent-logs"].logging`. The field is only a proposal, so the SDK's
 * schema would drop it before a handler sees it.
 */
export function keepLoggingCapability(stream: Stream): Stream {
  const keep = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && message.method === methods.agent.initialize) carryOver(message.params);
      controller.enqueue(message);
    },
  });
  return { writable: stream.writable, readable: stream.readable.pipeThrough(keep) };
}

function carryOver(params: unknown): void {
  const capabilities = isRecord(params) ? params['clientCapabilities'] : undefined;
  if (!isRecord(capabilities) || !isRecord(capabilities['logging'])) return;
  const meta = isRecord(capabilities['_meta']) ? capabilities['_meta'] : {};
  const ours = isRecord(meta[namespace]) ? meta[namespace] : {};
  const logging = isRecord(ours['logging']) ? ours['logging'] : {};
  capabilities['_meta'] = { ...meta, [namespace]: { ...ours, logging: { ...logging, ...capabilities['logging'] } } };
}

/** The level in the client's `initialize`. Without one, nothing is logged. */
export interface AskedLevel {
  readonly threshold: Threshold;
  /** The requested level if it isn't one of the nine. */
  readonly unknown?: unknown;
}

/** Reads the level that the client declared, after {@link keepLoggingCapability}. */
export function askedLevel(capabilities: ClientCapabilities | undefined): AskedLevel {
  const ours = capabilities?._meta?.[namespace];
  const logging = isRecord(ours) ? ours['logging'] : undefined;
  if (!isRecord(logging)) return { threshold: 'off' };
  const level = logging['level'];
  if (isThreshold(level)) return { threshold: level };
  return level === undefined ? { threshold: defaultLevel } : { threshold: defaultLevel, unknown: level };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
