import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { StreamVariant } from '../reading/streams/agentStream';
import { shellResult } from './shellResult';

/** Qwen Code, `qwen -p … --output-format stream-json`: Claude Code's events. Only the first one identifies the agent. */
export const stream: StreamVariant = {
  recognises: (event) => event['type'] === 'system' && 'qwen_code_version' in event,
  vary: (claude) => ({
    read(event, writer) {
      if (isOfSubagent(event, writer)) readSubagentEnd(event, writer);
      else claude.read(event['type'] === 'user' ? withShellResults(event) : event, writer);
    },
  }),
};

/** Maximum number of blocks to look at. */
const maxBlocks = 200;

/** A subagent that fails at once prints a result like that of the run, but without turns, while the call that runs it is open. */
function isOfSubagent(event: JsonObject, writer: AgentWriter): boolean {
  if (event['type'] !== 'result' || event['is_error'] !== true || event['num_turns'] !== 0) return false;
  const { sessionId } = writer.place;
  return writer.work.tools.open.some((call) => call.sessionId === sessionId);
}

function readSubagentEnd(event: JsonObject, writer: AgentWriter): void {
  const error = textOf(objectOf(event['error'])['message']) ?? textOf(event['error']) ?? 'no reason given';
  writer.activity({ type: 'progress' });
  writer.note({ level: 'warning', logger: 'subagent', message: `failed: ${error}` });
}

/** Qwen Code wraps a command's output in a report. Claude Code only puts the exit code first. */
function withShellResults(event: JsonObject): JsonObject {
  const message = objectOf(event['message']);
  if (!Array.isArray(message['content'])) return event;
  const content = arrayOf(message['content']).map((block, index) => {
    const { type, content: result } = objectOf(block);
    const shell = type === 'tool_result' && index < maxBlocks ? shellResult(outputText(result)) : undefined;
    if (!shell) return block;
    const { exitCode, output } = shell;
    return { ...objectOf(block), content: exitCode === 0 ? output : `Exit code ${exitCode}\n${output}` };
  });
  return { ...event, message: { ...message, content } };
}
