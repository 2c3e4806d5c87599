import type { RecordDraft } from '../../text/record';
import { isObject, textOf } from '../../text/json';
import type { LogForm } from '../logLine/logLineReader';
import { addUnknown, dataWithOdd, levelField, messageText, OddFields, textField } from '../oddFields';

/** The fields of `notifications/message` (MCP "Logging"). */
const knownFields: ReadonlySet<string> = new Set(['level', 'logger', 'data', '_meta']);
/** The message as in its line, if `data` is a string. */
export const logForm: LogForm = {
  methods: new Set(['notifications/message']),
  fields: { level: 'level', logger: 'logger', data: 'message' },
};

/** Some servers send the text as `message` instead of `data`. */
const withoutData: ReadonlySet<string> = new Set([...knownFields, 'message']);

/**
 * Reads a log message. `data` may be any JSON: text is the message, so is the `message` or `msg` of an object (the rest stays data), and
 * everything else is shown as compact JSON. Invalid fields are kept in the record's data.
 */
export function logRecord(params: unknown, receivedAt: number, raw: string): RecordDraft {
  if (!isObject(params)) return { receivedAt, level: 'info', kind: 'log', message: messageText(params), raw };
  const odd = new OddFields();
  const level = levelField(params, odd);
  const logger = textField(params, 'logger', odd);
  const hasData = params['data'] !== undefined;
  addUnknown(params, hasData ? knownFields : withoutData, odd);
  const { message, rest } = readData(hasData ? params['data'] : params['message']);
  const data = dataWithOdd(rest, odd);
  return {
    receivedAt,
    level,
    kind: 'log',
    ...(logger !== undefined && { logger }),
    message,
    ...(data !== undefined && { data }),
    raw,
  };
}

function readData(data: unknown): { message: string; rest?: unknown } {
  if (!isObject(data)) return { message: messageText(data) };
  const name = ['message', 'msg'].find((each) => textOf(data[each]) !== undefined);
  const message = name === undefined ? undefined : textOf(data[name]);
  if (message === undefined) return { message: messageText(data) };
  const rest = Object.entries(data).filter(([each]) => each !== name);
  return { message, ...(rest.length > 0 && { rest: Object.fromEntries(rest) }) };
}
