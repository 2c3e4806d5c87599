import type { JsonObject } from '../json';
import { numberOf, objectOf, textOf } from '../json';
import type { SavedWriter } from './writer/savedWriter';

/** `tool.execution_start`, `tool.execution_complete` and `tool.user_requested`. */
export function readCopilotTool(type: string, data: JsonObject, writer: SavedWriter): void {
  const key = textOf(data['toolCallId']);
  const name = textOf(data['toolName']) ?? 'tool';
  switch (type) {
    case 'tool.execution_start':
      return writer.toolStarted(key, name, data['arguments']);
    case 'tool.user_requested':
      return writer.commandStarted(key, name, data['arguments']);
    case 'tool.execution_complete':
      return writer.toolEnded(key, {
        outcome: outcomeOf(data),
        // `success` is true whatever the exit code.
        exitCode: numberOf(objectOf(data['shellExecution'])['exitCode']),
        output: outputOf(data),
      });
    case 'tool.execution_progress':
    case 'tool.execution_partial_result':
      return writer.other(type, 'tool');
    default:
      return writer.unknown(type);
  }
}

function outcomeOf(data: JsonObject): 'ok' | 'failed' | 'refused' | 'cancelled' {
  if (data['success'] !== false) return 'ok';
  const code = textOf(objectOf(data['error'])['code']);
  if (code === 'denied' || code === 'rejected') return 'refused';
  return code === 'cancelled' || code === 'aborted' ? 'cancelled' : 'failed';
}

function outputOf(data: JsonObject): string {
  const text = textOf(objectOf(data['error'])['message']) ?? textOf(objectOf(data['result'])['content']) ?? '';
  return text.replace(/\n?<shellId: \S+ completed with exit code -?\d+>\s*$/, '');
}
