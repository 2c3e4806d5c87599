import { oneLine } from '../../../text/text';
import type { JsonObject } from '../../../text/json';
import { objectOf, textOf, textsOf } from '../../../text/json';
import { levelOf, readLogFields } from '../../../protocols/logFields/logFields';
import { restOf, withoutEnvelope } from './eventText';
import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { EventText } from '../../../protocols/agentWriter/verbs';

/** Reads an object that isn't an event of its dialect: a log message on stdout, a plain error, or an event of a later version or unknown agent. */
export function readUnknownEvent(msg: JsonObject, writer: AgentWriter): void {
  const text = unknownText(msg, writer.isInput);
  if (msg['type'] === 'error' && text.kind !== 'log') writer.failed(wordsOf(msg), text);
  else writer.note(text);
}

export function unknownText(msg: JsonObject, isInput: boolean): EventText {
  const { level = 'info', time, logger, message, data, hasLevel } = readLogFields(msg);
  const type = textOf(msg['type']);
  if (message !== undefined && (type === undefined ? hasLevel : isLog(msg))) {
    const name = logger ?? (type === 'log' ? undefined : type);
    const rest = withoutEnvelope(data ?? {});
    return {
      level,
      kind: 'log',
      ...(time !== undefined && { time }),
      ...(name !== undefined && { logger: oneLine(name, 200) }),
      message,
      ...(Object.keys(rest).length > 0 && { data: rest }),
    };
  }
  const isError = type === 'error';
  return {
    level: isError ? 'error' : 'info',
    logger: type ?? (isInput ? 'stdin' : 'stdout'),
    message: (isError ? errorOf(msg) : undefined) ?? restOf(msg),
  };
}

/** The words of an `error` line. */
function wordsOf({ message, error }: JsonObject): string | undefined {
  return textOf(message) ?? textOf(objectOf(error)['message']);
}

/** True if an object with a type is a log entry: an event's `level` may also be a depth or a percentage. */
function isLog(msg: JsonObject): boolean {
  const level = msg['level'] ?? msg['severity'] ?? msg['lvl'];
  return levelOf(level) !== undefined && (typeof level !== 'number' || (level % 10 === 0 && level <= 60));
}

/** `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, as model APIs send it, and simpler forms. */
function errorOf({ message, error }: JsonObject): string | undefined {
  const { type, name, message: inner } = objectOf(error);
  const parts = textsOf(textOf(type) ?? name, inner);
  return textOf(message) ?? textOf(error) ?? textOf(parts.join(': '));
}
