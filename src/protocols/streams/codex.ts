import { oneLine } from '../../log/text';
import type { JsonObject } from '../json';
import { isObject, objectOf, textOf } from '../json';
import { readCodexItem } from './codexItem';
import type { Dialect } from './dialect';
import { numbersOf, restOf } from './eventText';
import type { EventWriter } from './eventWriter';
import { readUnknownEvent } from './unknownEvent';

/** Codex, `codex exec --json` (type `ThreadEvent` of @openai/codex-sdk). */
export const codex: Dialect = { name: 'codex', recognises, read };

function recognises(event: JsonObject): boolean {
  const type = textOf(event['type']) ?? '';
  if (type === 'thread.started') return textOf(event['thread_id']) !== undefined;
  if (type === 'turn.started' || type === 'turn.completed' || type === 'turn.failed') return true;
  return /^item\.(?:started|updated|completed)$/.test(type) && isObject(event['item']);
}

function read(event: JsonObject, writer: EventWriter): void {
  const type = textOf(event['type']);
  switch (type) {
    case 'thread.started':
      writer.goOn();
      return writer.tell({ level: 'info', kind: 'lifecycle', message: 'thread started' });
    case 'turn.started':
      writer.goOn();
      return writer.tell({ level: 'debug', logger: 'turn', message: 'started' });
    case 'turn.completed':
      readTurnEnd(event, writer);
      // `codex exec` runs one turn.
      return writer.end();
    case 'turn.failed':
      writer.tell({ level: 'error', logger: 'turn', message: `failed: ${errorText(event)}` });
      return writer.end();
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return readCodexItem(type, objectOf(event['item']), writer);
    case 'error':
      return readError(event, writer);
    default:
      return readUnknownEvent(event, writer);
  }
}

function readTurnEnd(event: JsonObject, writer: EventWriter): void {
  const usage = numbersOf(objectOf(event['usage']));
  writer.tell({
    level: 'info',
    logger: 'turn',
    message: 'ended',
    ...(usage && { data: { usage } }),
  });
}

/** Codex reports each attempt to get the connection back as an error; what it gives up on comes once more as `turn.failed`. */
function readError(event: JsonObject, writer: EventWriter): void {
  const message = errorText(event);
  const willRetry = /^Reconnecting\b|\bretrying\b/i.test(message);
  writer.tell({ level: willRetry ? 'warning' : 'error', logger: willRetry ? 'api' : 'error', message });
}

function errorText(event: JsonObject): string {
  const { error, message } = event;
  return textOf(message) ?? textOf(error) ?? textOf(objectOf(error)['message']) ?? oneLine(restOf(event), 500);
}
