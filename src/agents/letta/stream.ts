import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { Usage } from '../../work/activity';
import { usageOf } from '../../work/usage/usage';
import { failedAttempt } from '../../protocols/agentWriter/recordText';
import type { AgentStream } from '../reading/streams/agentStream';
import { byType, startOf } from '../reading/streams/eventReaders';
import { readUnknownEvent } from '../reading/streams/unknownEvent';
import { errorOf, toolEnd } from './items';

/**
 * Letta Code, `letta -p --output-format stream-json`: messages of its API. A model request is tried again by the agent, and a turn by its
 * program. It has no prompts.
 */
export const stream: AgentStream = {
  tried: { version: '0.32' },
  sessionIdNames: [],
  recognises,
  resembles,
  reader: () => new LettaStreamReader(),
};

function recognises(event: JsonObject): boolean {
  const isOfAgent = textOf(event['agent_id']) !== undefined && textOf(event['conversation_id']) !== undefined;
  switch (event['type']) {
    case 'system':
      return event['subtype'] === 'init' && isOfAgent;
    case 'result':
      return isOfAgent;
    case 'message':
      return textOf(event['message_type']) !== undefined;
    case 'error':
      return isObject(event['api_error']) && textOf(event['run_id']) !== undefined;
    default:
      return false;
  }
}

function resembles({ type, run_id: run }: JsonObject): boolean {
  return (type === 'retry' || type === 'error') && typeof run === 'string';
}

class LettaStreamReader implements AgentReader {
  /** The conversation: an agent may have several, and most events name only the agent. */
  private session: string | undefined;
  private readonly reader = byType({
    system: startOf('Letta Code'),
    message: readMessage,
    retry: (event, writer) => {
      const error = writer.continueTurn()?.error ?? textOf(event['reason'])?.replaceAll('_', ' ');
      readRetry(event, writer, error);
    },
    error: readError,
    result: readResult,
  });

  read(event: JsonObject, writer: AgentWriter): void {
    this.session = textOf(event['conversation_id']) ?? this.session ?? textOf(event['session_id']);
    writer.in({ id: this.session ?? 'session' });
    this.reader.read(event, writer);
  }
}

function readMessage(event: JsonObject, writer: AgentWriter): void {
  const type = textOf(event['message_type']) ?? '';
  const id = textOf(event['id']);
  switch (type) {
    case 'assistant_message':
      return readText(outputText(event['content']), 'agent', id, writer);
    case 'reasoning_message':
      return readText(textOf(event['reasoning']) ?? '', 'thought', id, writer);
    case 'tool_call_message': {
      const { name, tool_call_id: call, arguments: input } = objectOf(event['tool_call']);
      return writer.toolStarted(textOf(call), textOf(name), parsedJson(textOf(input) ?? '') ?? input);
    }
    case 'tool_return_message': {
      const end = toolEnd(outputText(event['tool_return']), event['status'] === 'error');
      return writer.toolEnded(textOf(event['tool_call_id']), end);
    }
    case 'usage_statistics':
      writer.usage(id, usageIn(event));
      return writer.other('usage', 'model');
    case 'event_message': {
      if (event['event_type'] !== 'retry') return writer.other(textOf(event['event_type']) ?? type, 'agent');
      const data = objectOf(event['event_data']);
      const message = textOf(data['message']);
      return readRetry(data, writer, message && errorOf(message));
    }
    // Nobody is asked: `requires_approval` says that a tool follows.
    case 'stop_reason':
      return writer.other(`stopped: ${textOf(event['stop_reason']) ?? 'no reason given'}`, 'model');
    default:
      readUnknownEvent(event, writer);
  }
}

/** A message comes in pieces with the same ID. */
function readText(text: string, speaker: 'agent' | 'thought', id: string | undefined, writer: AgentWriter): void {
  writer.says(speaker, text);
  writer.chunk(speaker, id, text, false);
}

function readRetry(data: JsonObject, writer: AgentWriter, error = 'no reason given'): void {
  const { attempt, max_attempts: max, delay_ms: inMs } = data;
  const count = { attempt: numberOf(attempt), max: numberOf(max), inMs: numberOf(inMs) };
  writer.retry({ ...count, ...failedAttempt(error) });
}

/** The agent's error ends the turn, unless its program tries again; the one of its program comes last, twice. */
function readError(event: JsonObject, writer: AgentWriter): void {
  const error = errorOf(textOf(event['message']) ?? 'no reason given');
  if (isObject(event['api_error'])) {
    writer.mayEnd({ outcome: 'error', error });
    return writer.other('failed attempt', 'model');
  }
  writer.settle();
  if (writer.isInTurn) writer.turnEnded({ outcome: 'error', error });
  else writer.other('error', 'turn');
  writer.ended();
}

function usageIn(fields: JsonObject): Usage | undefined {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = fields;
  const { cached_input_tokens: cached, cache_write_tokens: cacheWrite, reasoning_tokens: reasoning } = fields;
  const convention = { inputExcludesCache: true };
  return usageOf({ input, output, total, cached, cacheWrite, reasoning }, 'turn', { convention });
}

function readResult(event: JsonObject, writer: AgentWriter): void {
  writer.settle();
  const took = numberOf(event['duration_ms']);
  const answer = textOf(event['result']);
  if (event['subtype'] === 'success') writer.turnEnded({ outcome: 'ok', took, answer, level: 'info' });
  else if (/interrupt|cancel/.test(textOf(event['subtype']) ?? '')) writer.turnEnded({ outcome: 'cancelled', took });
  else if (writer.isInTurn) writer.turnEnded({ outcome: 'error', took, error: answer ?? textOf(event['subtype']) });
  writer.ended();
}
