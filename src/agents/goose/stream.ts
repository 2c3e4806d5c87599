import { ownHead } from '../../text/ownText';
import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { AgentStream } from '../reading/streams/agentStream';
import { restOf } from '../reading/streams/eventText';
import { readUnknownEvent } from '../reading/streams/unknownEvent';
import { usageOf } from '../../work/usage/usage';
import { readContent } from './content';

/** Events don't name their session. */
const session = 'goose';
const maxError = 2000;

/**
 * goose, `run --output-format stream-json` (`StreamEvent` in its crates/goose-cli/src/session/mod.rs). Written from its source and
 * recordings by others.
 */
export const stream: AgentStream = {
  tried: { recorded: '1.50' },
  sessionIdNames: [],
  recognises,
  resembles,
  reader: () => new GooseStreamReader(),
};

function recognises(event: JsonObject): boolean {
  switch (event['type']) {
    case 'message': {
      const { role, content } = objectOf(event['message']);
      return (
        (role === 'user' || role === 'assistant') && Array.isArray(content) && !('parentId' in event || 'id' in event)
      );
    }
    case 'notification':
      return textOf(event['extension_id']) !== undefined;
    case 'complete':
      return 'total_tokens' in event;
    default:
      return false;
  }
}

function resembles(event: JsonObject): boolean {
  if (event['type'] === 'model_change') return textOf(event['model']) !== undefined;
  const isError = event['type'] === 'error' && textOf(event['error']) !== undefined;
  return (isError && Object.keys(event).length === 2) || recognises(event);
}

class GooseStreamReader implements AgentReader {
  private error: string | undefined;

  read(event: JsonObject, writer: AgentWriter): void {
    writer.in({ id: session });
    switch (event['type']) {
      case 'message':
        if (isObject(event['message'])) return readMessage(event['message'], writer);
        return readUnknownEvent(event, writer);
      case 'notification':
        return readNotification(event, writer);
      case 'model_change':
        writer.uses(event['model']);
        return writer.note({ level: 'info', logger: 'model', message: textOf(event['model']) ?? restOf(event) });
      case 'error':
        start(writer);
        this.error = ownHead(textOf(event['error']) ?? 'no reason given', maxError);
        return writer.note({ level: 'error', logger: 'error', message: this.error });
      case 'complete':
        return this.readEnd(event, writer);
      default:
        return readUnknownEvent(event, writer);
    }
  }

  /** Also comes after an error. */
  private readEnd(event: JsonObject, writer: AgentWriter): void {
    const { error } = this;
    this.error = undefined;
    start(writer);
    const usage = usageOf({ ...event, total: numberOf(event['total_tokens']) }, 'turn', { cost: event['cost_usd'] });
    writer.turnEnded({ outcome: error === undefined ? 'ok' : 'error', error, ...(usage && { usage }) });
    writer.ended();
  }
}

function readMessage(message: JsonObject, writer: AgentWriter): void {
  start(writer);
  const model = textOf(objectOf(objectOf(message['metadata'])['inference'])['requestedModel']);
  if (model !== undefined) writer.uses(model, true);
  const isUser = message['role'] === 'user';
  const id = textOf(message['id']);
  const asked: string[] = [];
  readContent(message, writer, (text, isThought) => {
    if (isUser) return void asked.push(text);
    writer.says(isThought ? 'thought' : 'agent', text);
    // Its parts arrive one by one, with the same ID.
    writer.chunk(isThought ? 'thought' : 'agent', id, text, false);
  });
  writer.prompt(asked.join('\n'));
}

/** No line says that a turn starts. */
function start(writer: AgentWriter): void {
  if (!writer.isInTurn) writer.turnStarted();
}

/** A log message or the progress of an extension: its fields are the event's or, in some versions, in one of them. */
function readNotification(event: JsonObject, writer: AgentWriter): void {
  const inner = isObject(event['log']) ? event['log'] : isObject(event['progress']) ? event['progress'] : event;
  const message = textOf(inner['message']) ?? restOf(event, ['extension_id']);
  writer.note({ level: 'debug', logger: textOf(event['extension_id']) ?? 'extension', message });
}
