import type { Mutable, RecordDraft } from '../../text/record';
import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { isObject } from '../../text/json';
import type { LogForm } from '../logLine/logLineReader';
import { addUnknown, dataWithOdd, levelField, messageText, OddFields, textField } from '../oddFields';

/** Fields of ACP's logging proposal (RFD "Agent-to-Client Logging", pull request 392), plus `_meta` and JSON-RPC's. */
const knownFields = new Set(['level', 'message', 'sessionId', 'logger', 'timestamp', 'data', '_meta']);

const dataAt = ['params', 'data'];

/** Log notifications: the proposal's method, its form as an extension method, and PostHog's (its SDK adds an underscore). */
const logMethods = new Set(['log', '_agent-logs/log', '_posthog/console', '__posthog/console']);

/** Where to find the fields in a line that follows the proposal. */
export const logForm: LogForm = {
  methods: logMethods,
  fields: {
    level: 'level',
    message: 'message',
    sessionId: 'sessionId',
    logger: 'logger',
    timestamp: 'time',
    data: 'data',
  },
};

export function isLogMethod(method: string): boolean {
  return logMethods.has(method);
}

/**
 * Reads a log message. Never drops it: a missing level becomes `info`, and fields that don't follow the proposal (unknown level,
 * wrong type, unknown name) are added to the agent's `data`.
 */
export function logRecord(params: unknown, receivedAt: number, raw: string): Mutable<RecordDraft> {
  if (!isObject(params)) {
    return { receivedAt, level: 'info', kind: 'log', message: boundedJson(params ?? null), raw };
  }
  const odd = new OddFields();
  const level = levelField(params, odd);
  const time = timeOf(params, odd);
  const sessionId = textField(params, 'sessionId', odd);
  const logger = textField(params, 'logger', odd);
  const message = messageText(params['message']);
  addUnknown(params, knownFields, odd);
  const data = dataWithOdd(params['data'], odd);
  const draft: Mutable<RecordDraft> = { receivedAt, level, kind: 'log', message, raw };
  if (time !== undefined) draft.time = time;
  if (sessionId !== undefined) draft.sessionId = sessionId;
  if (logger !== undefined) draft.logger = logger;
  if (data !== undefined) {
    draft.data = data;
    // In a batch, the offset is different.
    if (odd.size === 0 && raw.startsWith('{')) draft.dataAt = dataAt;
  }
  return draft;
}

function timeOf(params: JsonObject, odd: OddFields): number | undefined {
  const stamp = params['timestamp'];
  if (stamp === undefined || stamp === null) return undefined;
  const time = typeof stamp === 'string' ? Date.parse(stamp) : NaN;
  if (Number.isFinite(time)) return time;
  odd.set('timestamp', stamp);
  return undefined;
}
