import type { AnyMessage, ClientCapabilities, Stream } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import { TransformStream } from 'node:stream/web';
import type { Threshold } from './level';
import { isThreshold } from './level';

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
