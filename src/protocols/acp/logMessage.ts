import type { Level } from '../../log/level';
import { parseLevel } from '../../log/level';
import type { RecordDraft } from '../../log/record';
import { boundedJson } from '../../log/boundedJson';

import type { JsonObject } from '../json';
import { isObject, textOf } from '../json';

/** The fields of ACP's logging proposal (RFD "Agent-to-Client Logging", pull request 392), `_meta` and JSON-RPC's own aside. */
const knownFields = new Set(['level', 'message', 'sessionId', 'logger', 'timestamp', 'data', '_meta']);

/** What is not as the proposal has it, by its name. */
type Odd = Map<string, unknown>;

/** Methods that carry a log message: the proposal's, its form by the extensibility rules, and PostHog's (its SDK adds an underscore). */
const logMethods = new Set(['log', '_agent-logs/log', '_posthog/console', '__posthog/console']);

export function isLogMethod(method: string): boolean {
  return logMethods.has(method);
}

/**
 * Reads a log message. Nothing loses the record: a missing level is `info`, and every field that is not as the proposal has it
 * (unknown level, wrong type, field of its own) is kept in `data` beside the agent's.
 */
export function logRecord(params: unknown, receivedAt: number, raw: string): RecordDraft {
  if (!isObject(params)) {
    return { receivedAt, level: 'info', kind: 'log', message: boundedJson(params ?? null), raw };
  }
  // Not an object: a field may be called __proto__.
  const odd: Odd = new Map();
  const level = levelOf(params, odd);
  const time = timeOf(params, odd);
  const sessionId = optionalText(params, 'sessionId', odd);
  const logger = optionalText(params, 'logger', odd);
  const message = messageOf(params);
  for (const [name, value] of Object.entries(params)) if (!knownFields.has(name)) odd.set(name, value);
  const data = odd.size === 0 ? params['data'] : withData(odd, params['data']);
  return {
    receivedAt,
    ...(time !== undefined && { time }),
    level,
    kind: 'log',
    ...(sessionId !== undefined && { sessionId }),
    ...(logger !== undefined && { logger }),
    message,
    ...(data !== undefined && { data }),
    raw,
  };
}

function levelOf(params: JsonObject, odd: Odd): Level {
  const level = parseLevel(params['level']);
  if (level === undefined && params['level'] !== undefined) odd.set('level', params['level']);
  return level ?? 'info';
}

function timeOf(params: JsonObject, odd: Odd): number | undefined {
  const stamp = params['timestamp'];
  if (stamp === undefined || stamp === null) return undefined;
  const time = typeof stamp === 'string' ? Date.parse(stamp) : NaN;
  if (Number.isFinite(time)) return time;
  odd.set('timestamp', stamp);
  return undefined;
}

function optionalText(params: JsonObject, name: string, odd: Odd): string | undefined {
  const value = params[name];
  if (value !== undefined && value !== null && typeof value !== 'string') odd.set(name, value);
  return textOf(value);
}

function messageOf(params: JsonObject): string {
  const message = params['message'];
  if (typeof message === 'string') return message;
  return message === undefined ? '(no message)' : boundedJson(message);
}

function withData(odd: Odd, data: unknown): Record<string, unknown> {
  return Object.fromEntries(data === undefined ? odd : [['data', data], ...odd]);
}
