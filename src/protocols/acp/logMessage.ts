import type { Mutable, RecordDraft } from '../../log/record';
import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../json';
import { isObject } from '../json';
import type { LogForm } from '../logLine/logLineReader';
import { addUnknown, dataWithOdd, levelField, messageText, OddFields, textField } from '../logFields';

/** The fields of ACP's logging proposal (RFD "Agent-to-Client Logging", pull request 392), `_meta` and JSON-RPC's own aside. */
const knownFields = new Set(['level', 'message', 'sessionId', 'logger', 'timestamp', 'data', '_meta']);

const dataAt = ['params', 'data'];

/** Methods that carry a log message: the proposal's, its form by the extensibility rules, and PostHog's (its SDK adds an underscore). */
const logMethods = new Set(['log', '_agent-logs/log', '_posthog/console', '__posthog/console']);

/** As its line has it, where it is as the proposal has it. */
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
 * Reads a log message. Nothing loses the record: a missing level is `info`, and every field that is not as the proposal has it
 * (unknown level, wrong type, field of its own) is kept in `data` beside the agent's.
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
    // In a batch it stands elsewhere.
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
