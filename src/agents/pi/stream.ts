import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import { failedAttempt } from '../../protocols/agentWriter/recordText';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { ofFile } from '../../protocols/agentWriter/verbs';
import { providerError } from '../../work/failures/errorText';
import type { AgentStream } from '../reading/streams/agentStream';
import { readUnknownEvent } from '../reading/streams/unknownEvent';
import { hasFailed, readHeader, readMessage, readResult, readThinkingLevel } from './messages';

/** Events that only pi has. */
const ownTypes = new Set([
  'agent_start',
  'agent_end',
  'agent_settled',
  'turn_start',
  'turn_end',
  'tool_execution_start',
  'tool_execution_update',
  'tool_execution_end',
  'auto_retry_start',
  'auto_retry_end',
  'entry_appended',
]);

/** pi, `pi --mode json` (docs/json.md of @earendil-works/pi-coding-agent): a session's header, then events, whose messages are those of its file. */
export const stream: AgentStream = {
  tried: { version: '1.6' },
  policy: ofFile,
  recognises,
  resembles: ({ type }) => type === 'compaction_start' || type === 'compaction_end' || type === 'queue_update',
  isShared: ({ type }) => type === 'session',
  reader: () => new PiStreamReader(),
};

function recognises(event: JsonObject): boolean {
  const type = textOf(event['type']) ?? '';
  if (type === 'session') return textOf(event['id']) !== undefined && textOf(event['cwd']) !== undefined;
  if (type === 'message_update') return isObject(event['assistantMessageEvent']);
  const message = objectOf(event['message']);
  // Those of Anthropic's API have a type.
  if (type === 'message_start' || type === 'message_end') return 'role' in message && !('type' in message);
  return ownTypes.has(type);
}

class PiStreamReader implements AgentReader {
  /** True if a client writes to the agent, so that the session outlasts the turn. */
  private hasInput = false;

  read(event: JsonObject, writer: AgentWriter): void {
    const type = textOf(event['type']) ?? '';
    if (writer.isInput) {
      this.hasInput = true;
      return readUnknownEvent(event, writer);
    }
    if (writer.place.sessionId === undefined && type !== 'session') writer.in({ id: 'session' });
    this.readEvent(type, event, writer);
    writer.atLeast(type);
  }

  private readEvent(type: string, event: JsonObject, writer: AgentWriter): void {
    switch (type) {
      case 'session':
        writer.settle();
        return readHeader(event, writer);
      case 'agent_start':
        writer.resumed();
        return writer.note({ level: 'debug', logger: 'turn', message: 'the agent starts' });
      case 'agent_settled':
        writer.settle();
        return this.hasInput ? undefined : writer.ended();
      case 'turn_start':
      case 'turn_end':
      case 'agent_end':
      case 'auto_retry_end':
      case 'summarization_retry_attempt_start':
      case 'summarization_retry_finished':
      case 'queue_update':
      case 'entry_appended':
        return;
      case 'message_start':
        return readStart(objectOf(event['message']), writer);
      case 'message_update':
        return readUpdate(objectOf(event['assistantMessageEvent']), writer);
      case 'message_end':
        return readEnd(objectOf(event['message']), writer);
      case 'tool_execution_start':
      case 'tool_execution_update':
      case 'tool_execution_end':
        return readTool(type, event, writer);
      default:
        readOther(type, event, writer);
    }
  }
}

function readStart(message: JsonObject, writer: AgentWriter): void {
  if (message['role'] === 'assistant') writer.uses(message['model'], true);
  writer.other('message_start', 'model');
}

/** Chunks of a message that follows completely. */
function readUpdate(part: JsonObject, writer: AgentWriter): void {
  const type = textOf(part['type']) ?? 'message_update';
  const delta = textOf(part['delta']);
  const index = String(numberOf(part['contentIndex']) ?? 0);
  const isText = type === 'text_delta';
  if (isText) writer.says('agent', delta, true);
  else writer.activity({ type: 'progress' });
  if (isText) return writer.chunk('partial', index, delta, true);
  if (type === 'thinking_delta') return writer.chunk('partial thought', index, delta, true);
  if (type === 'toolcall_delta') return writer.chunk('partial call', index, delta, true);
  writer.other(type, 'model');
}

function readEnd(message: JsonObject, writer: AgentWriter): void {
  const id = textOf(message['toolCallId']);
  // Already reported when the tool ended.
  if (message['role'] === 'toolResult' && writer.hasEnded(id)) return writer.other('tool result', 'tool');
  if (message['role'] === 'user') writer.settle();
  const key = textOf(message['responseId']) ?? String(numberOf(message['timestamp']) ?? '');
  // Retried, or the end of the turn.
  if (hasFailed(message)) writer.other('failed call', 'model');
  // A prompt during a turn steers it.
  readMessage(key, message, writer, { startsTurn: !writer.isInTurn });
}

function readTool(type: string, event: JsonObject, writer: AgentWriter): void {
  const id = textOf(event['toolCallId']);
  writer.activity({ type: 'progress' });
  if (type === 'tool_execution_end') {
    const result = objectOf(event['result']);
    return readResult(id, { content: result['content'], isError: event['isError'] }, writer);
  }
  const isNew = type === 'tool_execution_start' && !writer.hasTool(id) && !writer.hasEnded(id);
  if (isNew) writer.toolStarted(id, textOf(event['toolName']), event['args']);
  else writer.other(type, 'tool');
}

function readOther(type: string, event: JsonObject, writer: AgentWriter): void {
  switch (type) {
    case 'auto_retry_start':
      writer.continueTurn();
      return readRetry(event, writer);
    case 'summarization_retry_scheduled':
      return readRetry(event, writer);
    case 'compaction_start':
      return writer.compacting();
    case 'compaction_end':
      return readCompaction(event, writer);
    case 'session_info_changed':
      return writer.title(textOf(event['name']));
    case 'thinking_level_changed':
      return readThinkingLevel(event['level'], writer);
    case 'extension_error': {
      const message = textOf(event['error']) ?? 'failed';
      return writer.note({ level: 'warning', logger: 'extension', message });
    }
    default:
      readUnknownEvent(event, writer);
  }
}

function readRetry(event: JsonObject, writer: AgentWriter): void {
  const error = providerError(textOf(event['errorMessage']) ?? 'no reason given');
  const { attempt, maxAttempts, delayMs } = event;
  const count = { attempt: numberOf(attempt), max: numberOf(maxAttempts), inMs: numberOf(delayMs) };
  writer.retry({ ...count, ...failedAttempt(error) });
}

function readCompaction(event: JsonObject, writer: AgentWriter): void {
  const error = textOf(event['errorMessage']);
  if (event['aborted'] === true) return writer.notCompacted(undefined);
  if (error !== undefined) return writer.notCompacted(error);
  const result = objectOf(event['result']);
  const { tokensBefore: before, estimatedTokensAfter: after } = result;
  writer.compacted(textOf(event['reason']), numberOf(before), numberOf(after), true);
  // The request that was too long is repeated.
  if (event['willRetry'] === true) writer.continueTurn();
}
