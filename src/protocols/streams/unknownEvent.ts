import { oneLine } from '../../log/text';
import type { JsonObject } from '../json';
import { objectOf, textOf } from '../json';
import { levelOf } from '../logFields/levelOf';
import { readLogFields } from '../logFields/logFields';
import { tellsOfRetry } from '../activity/troubleText';
import { restOf, withoutEnvelope } from './eventText';
import type { EventWriter } from './eventWriter';

/**
 * An object that its dialect has no event for: a log message on standard output, an error under its plain name, or an event
 * of a later version or an unknown agent.
 */
export function readUnknownEvent(msg: JsonObject, writer: EventWriter): void {
  const { level = 'info', time, logger, message, data, hasLevel } = readLogFields(msg);
  const type = textOf(msg['type']);
  if (message !== undefined && (type === undefined ? hasLevel : isLog(msg))) {
    const name = logger ?? (type === 'log' ? undefined : type);
    const rest = withoutEnvelope(data ?? {});
    return writer.tell({
      level,
      kind: 'log',
      ...(time !== undefined && { time }),
      ...(name !== undefined && { logger: oneLine(name, 200) }),
      message,
      ...(Object.keys(rest).length > 0 && { data: rest }),
    });
  }
  const error = type === 'error' ? errorOf(msg) : undefined;
  if (type === 'error') readRetry(msg, writer);
  writer.tell({
    level: type === 'error' ? 'error' : 'info',
    logger: type ?? (writer.event.isInput ? 'stdin' : 'stdout'),
    message: error ?? restOf(msg),
  });
}

/** An `error` line: an attempt that failed and is made again, as Codex reports each of them, or the end of such attempts. */
export function readRetry({ message, error }: JsonObject, writer: EventWriter): void {
  const words = textOf(message) ?? textOf(objectOf(error)['message']);
  const willRetry = words !== undefined && tellsOfRetry(words);
  writer.work({
    type: 'retry',
    change: willRetry ? 'retrying' : 'gave-up',
    message: willRetry ? words : undefined,
  });
}

/** Whether an object with a type, as events have, is a log entry: the `level` of an event may be a depth, or per cent. */
function isLog(msg: JsonObject): boolean {
  const level = msg['level'] ?? msg['severity'] ?? msg['lvl'];
  return levelOf(level) !== undefined && (typeof level !== 'number' || (level % 10 === 0 && level <= 60));
}

/** `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, as the APIs of models say it, and its simpler forms. */
function errorOf({ message, error }: JsonObject): string | undefined {
  const { type, name, message: inner } = objectOf(error);
  const parts = [textOf(type) ?? textOf(name), textOf(inner)].filter((part) => part !== undefined);
  return textOf(message) ?? textOf(error) ?? (parts.length === 0 ? undefined : parts.join(': '));
}
