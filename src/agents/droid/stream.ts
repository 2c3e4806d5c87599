import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import { duration } from '../../text/text';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { AgentStream } from '../reading/streams/agentStream';
import { byType, startOf } from '../reading/streams/eventReaders';
import { readUnknownEvent } from '../reading/streams/unknownEvent';
import { sessionUsage, toolEnd } from './items';

/**
 * Droid, `droid exec -o stream-json`. Retries leave no line, and neither does an interrupted run's end. A thought is printed twice, an
 * error by the agent and by its program.
 */
export const stream: AgentStream = { tried: { version: '0.225' }, recognises, resembles, reader };

function recognises(event: JsonObject): boolean {
  if (textOf(event['session_id']) === undefined) return false;
  switch (event['type']) {
    case 'system':
      return event['subtype'] === 'init' && 'reasoning_effort' in event && !('uuid' in event);
    case 'message':
      return typeof event['text'] === 'string' && textOf(event['role']) !== undefined;
    case 'tool_call':
      return textOf(event['toolId']) !== undefined && textOf(event['toolName']) !== undefined;
    case 'tool_result':
      return textOf(event['toolId']) !== undefined && typeof event['isError'] === 'boolean';
    case 'error':
      return event['source'] === 'agent_loop' || event['source'] === 'cli';
    case 'completion':
      return 'finalText' in event && 'numTurns' in event;
    default:
      return false;
  }
}

function resembles(event: JsonObject): boolean {
  return event['type'] === 'reasoning' && textOf(event['text']) !== undefined && 'session_id' in event;
}

function reader(): AgentReader {
  let lastThought: string | undefined;
  return byType({
    system: startOf('Droid'),
    message: readMessage,
    tool_call: (event, writer) =>
      writer.toolStarted(textOf(event['id']), textOf(event['toolName']), event['parameters']),
    tool_result: (event, writer) => {
      const output = textOf(event['value']) ?? textOf(objectOf(event['error'])['message']) ?? '';
      writer.toolEnded(textOf(event['id']), toolEnd(output, event['isError'] === true));
    },
    reasoning: (event, writer) => {
      const thought = `${textOf(event['id']) ?? ''} ${textOf(event['text']) ?? ''}`;
      const isRepeated = thought === lastThought;
      lastThought = thought;
      if (isRepeated) writer.other('the same thought again', 'thought');
      else writer.thought(textOf(event['text']));
    },
    error: readError,
    completion: readEnd,
  });
}

function readMessage(event: JsonObject, writer: AgentWriter): void {
  const text = textOf(event['text']);
  if (event['role'] === 'assistant') return writer.answer(text);
  if (event['role'] !== 'user') return readUnknownEvent(event, writer);
  writer.turnStarted('', { isNew: false });
  writer.prompt(text);
}

/** The agent's error ends the turn. The one of its program after it says nothing more. */
function readError(event: JsonObject, writer: AgentWriter): void {
  const error = textOf(event['message']) ?? 'no reason given';
  if (writer.isInTurn) writer.turnEnded({ outcome: 'error', error });
  else writer.note({ level: 'notice', logger: textOf(event['source']) ?? 'error', message: error });
  if (event['source'] === 'cli') writer.ended();
}

function readEnd(event: JsonObject, writer: AgentWriter): void {
  const took = numberOf(event['durationMs']);
  const usage = sessionUsage(objectOf(event['usage']));
  writer.turnEnded(
    { outcome: 'ok', took, answer: textOf(event['finalText']), ...(usage && { usage }) },
    {
      level: 'info',
      logger: 'turn',
      message: `ended${took === undefined ? '' : ` after ${duration(took)}`}`,
      ...(usage && { data: { usage } }),
    },
  );
  writer.ended();
}
