import type { JsonObject } from '../../text/json';
import { arrayOf, numberOf, objectOf, textOf } from '../../text/json';
import type { FileChange } from '../../work/changes/fileChange';
import { changesOfCall } from '../../work/changes/fileChange';
import { unifiedDiff } from '../../work/changes/patches';
import { recordedChange } from '../../work/changes/recordedChanges';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { withoutEnd } from '../reading/saved/parts';

/** `tool.execution_start`, `tool.execution_complete` and `tool.user_requested`. */
export function readTool(type: string, data: JsonObject, writer: AgentWriter): void {
  const key = textOf(data['toolCallId']);
  const name = textOf(data['toolName']);
  switch (type) {
    case 'tool.execution_start':
      return writer.toolStarted(key, name, data['arguments']);
    case 'tool.user_requested':
      return writer.toolStarted(key, name, data['arguments'], { isUsers: true });
    case 'tool.execution_complete':
      return writer.toolEnded(key, {
        outcome: outcomeOf(data),
        // `success` is true whatever the exit code.
        exitCode: numberOf(objectOf(data['shellExecution'])['exitCode']),
        output: outputOf(data),
        changes: changesOf(data),
      });
    case 'tool.execution_progress':
    case 'tool.execution_partial_result':
    case 'tool.shell_output':
      writer.activity({ type: 'progress' });
      return writer.other(type, 'tool');
    default:
      return writer.unknown(type);
  }
}

/** The file is named in `fileEdits`; the diff has its path without the first slash. */
function changesOf(data: JsonObject): readonly FileChange[] | undefined {
  const edits = arrayOf(data['fileEdits']).map(objectOf);
  const [{ path, kind } = {}] = edits;
  const diff = objectOf(data['result'])['detailedContent'];
  if (edits.length === 1) return recordedChange({ path, diff, isNew: kind === 'create' });
  return typeof diff === 'string' && edits.length > 1 ? changesOfCall(unifiedDiff(diff)) : undefined;
}

function outcomeOf(data: JsonObject): ToolEnd['outcome'] {
  if (data['success'] !== false) return 'ok';
  const code = textOf(objectOf(data['error'])['code']);
  if (code === 'denied' || code === 'rejected') return 'refused';
  return code === 'cancelled' || code === 'aborted' ? 'cancelled' : 'error';
}

function outputOf(data: JsonObject): string {
  const text = textOf(objectOf(data['error'])['message']) ?? textOf(objectOf(data['result'])['content']) ?? '';
  return withoutEnd(text, /\n?<shellId: \S+ completed with exit code -?\d+>\s*$/);
}
