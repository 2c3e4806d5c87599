import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../json';
import { objectOf, textOf } from '../json';
import { numberOf } from './eventText';
import type { EventWriter } from './eventWriter';

/** The frame of a message, which the whole message tells again. */
const frame = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_stop',
  'ping',
]);

/** `stream_event`, with `--include-partial-messages`: pieces of a message, joined at level debug, since the whole message comes after them. */
export function readStreamEvent(event: JsonObject, writer: EventWriter): void {
  const part = objectOf(event['event']);
  const type = textOf(part['type']);
  if (type !== undefined && frame.has(type)) return;
  if (type === 'error') {
    const { type: name, message } = objectOf(part['error']);
    const text = [textOf(name), textOf(message)].filter((each) => each !== undefined).join(': ');
    return writer.tell({ level: 'warning', logger: 'api', message: text === '' ? 'the stream broke off' : text });
  }
  if (type !== 'content_block_delta') {
    return writer.tell({ level: 'debug', logger: type ?? 'stream_event', message: boundedJson(part, 1000) });
  }
  const delta = objectOf(part['delta']);
  const block = `${textOf(event['parent_tool_use_id']) ?? ''} ${numberOf(part['index']) ?? 0}`;
  const isThought = delta['type'] === 'thinking_delta';
  // A tool's input in pieces of JSON, citations and signatures are of no use before they are whole.
  if (!isThought && delta['type'] !== 'text_delta') return;
  writer.piece(isThought ? 'partial thought' : 'partial', block, isThought ? delta['thinking'] : delta['text'], {
    partial: true,
  });
}
