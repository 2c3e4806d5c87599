import { duration } from '../../log/text';
import type { JsonObject } from '../json';
import { isObject, objectOf, textOf } from '../json';
import type { Dialect } from './dialect';
import { counted, numberOf, numbersOf, restOf } from './eventText';
import type { EventWriter } from './eventWriter';
import { outputText, toolEnded, toolStarted, toolTitle, tookOf } from './toolText';
import { readUnknownEvent } from './unknownEvent';

/** Gemini CLI, `--output-format stream-json` (`JsonStreamEventType` in its packages/core/src/output/types.ts). */
export const gemini: Dialect = { name: 'gemini', recognises, read };

function recognises(event: JsonObject): boolean {
  if (typeof event['timestamp'] !== 'string') return false;
  switch (event['type']) {
    case 'init':
      return textOf(event['session_id']) !== undefined && 'model' in event;
    case 'message':
      return typeof event['content'] === 'string' && (event['role'] === 'user' || event['role'] === 'assistant');
    case 'tool_use':
      return 'tool_id' in event && 'tool_name' in event;
    case 'tool_result':
      return 'tool_id' in event && 'status' in event;
    case 'error':
      return 'severity' in event && 'message' in event;
    case 'result':
      return (event['status'] === 'success' || event['status'] === 'error') && ('stats' in event || 'error' in event);
    default:
      return false;
  }
}

function read(event: JsonObject, writer: EventWriter): void {
  const type = textOf(event['type']);
  switch (type) {
    case 'init':
      writer.goOn();
      return writer.tell({
        level: 'info',
        kind: 'lifecycle',
        message: `session started: model ${textOf(event['model']) ?? 'unknown'}`,
      });
    case 'message':
      return readMessage(event, writer);
    case 'tool_use':
      return readToolUse(event, writer);
    case 'tool_result':
      return readToolResult(event, writer);
    case 'error':
      return writer.tell({
        level: event['severity'] === 'warning' ? 'warning' : 'error',
        logger: 'error',
        message: textOf(event['message']) ?? restOf(event),
      });
    case 'result':
      readResult(event, writer);
      return writer.end();
    default:
      return readUnknownEvent(event, writer);
  }
}

function readMessage(event: JsonObject, writer: EventWriter): void {
  const { role, content, delta } = event;
  if (role === 'user') {
    writer.title(content);
    return writer.speech('prompt', content);
  }
  if (delta === true) return writer.piece('agent', undefined, content, { partial: false });
  writer.speech('agent', content);
}

function readToolUse(event: JsonObject, writer: EventWriter): void {
  const name = textOf(event['tool_name']) ?? 'a tool';
  const id = textOf(event['tool_id']);
  const { sessionId, time } = writer.event;
  const title = toolTitle(name, event['parameters']);
  if (id !== undefined) writer.state.tools.begin(id, { title, sessionId, startedAt: time });
  writer.tell(toolStarted(name, event['parameters']));
}

function readToolResult(event: JsonObject, writer: EventWriter): void {
  const id = textOf(event['tool_id']);
  const call = id === undefined ? undefined : writer.state.tools.end(id);
  const { type, message } = objectOf(event['error']);
  const error = [textOf(type), textOf(message)].filter((part) => part !== undefined).join(': ');
  writer.tell(
    toolEnded({
      title: call?.title ?? id ?? 'a tool',
      failed: event['status'] === 'error',
      ms: tookOf(call, writer.event.time),
      output: error === '' ? outputText(event['output']) : error,
    }),
  );
}

function readResult(event: JsonObject, writer: EventWriter): void {
  const wasCancelled = writer.state.interrupts.end(event);
  const failed = event['status'] === 'error' && !wasCancelled;
  const { error } = event;
  const stats = objectOf(event['stats']);
  const ms = numberOf(stats['duration_ms']);
  const tools = numberOf(stats['tool_calls']);
  const details = [
    ...(wasCancelled ? [] : [textOf(event['status']) ?? 'no status']),
    ...(ms === undefined ? [] : [`after ${duration(ms)}`]),
    ...(tools === undefined ? [] : [counted(tools, 'tool call')]),
  ].join(', ');
  const how = failed ? 'failed' : wasCancelled ? 'cancelled' : 'ended';
  const { type, message } = objectOf(error);
  const why = isObject(error) ? [textOf(type), textOf(message)].filter((part) => part !== undefined).join(': ') : '';
  const usage = numbersOf(stats);
  writer.tell({
    level: failed ? 'error' : wasCancelled ? 'notice' : 'info',
    logger: 'turn',
    message: `${how}${details === '' ? '' : ` (${details})`}${why === '' ? '' : `: ${why}`}`,
    ...(usage && { data: { usage } }),
  });
}
