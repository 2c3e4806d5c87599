import type { JsonObject } from '../../text/json';
import { BoundedMap } from '../../text/boundedMap';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { StreamVariant } from '../reading/streams/agentStream';
import { shellResult } from './shellResult';

/** Qwen Code, `qwen -p … --output-format stream-json`: Claude Code's events. Only the first one identifies the agent. */
export const stream: StreamVariant = {
  tried: { version: '0.24' },
  recognises: (event) => event['type'] === 'system' && 'qwen_code_version' in event,
  vary: (claude) => {
    const requests = new TurnRequests();
    return {
      read(event, writer) {
        requests.note(event);
        if (isOfSubagent(event, writer)) readSubagentEnd(event, writer);
        else if (event['type'] === 'user') claude.read(withShellResults(event), writer);
        else claude.read(event['type'] === 'result' ? requests.end(event) : event, writer);
      },
    };
  },
};

/** The requests of a turn. Its result has the sum of the session, also of earlier runs and of the origin of a fork. */
class TurnRequests {
  private readonly usages = new BoundedMap<string, JsonObject>(maxRequests);

  note({ type, message, parent_tool_use_id: parent }: JsonObject): void {
    const { id, usage } = objectOf(message);
    const isOwn = type === 'assistant' && (parent === null || parent === undefined);
    if (isOwn && isObject(usage)) this.usages.set(textOf(id)?.slice(0, 100) ?? '', usage);
  }

  /** The result, with what the turn used, if its answers say it. */
  end(result: JsonObject): JsonObject {
    const usages = this.usages.values();
    this.usages.clear();
    if (usages.length === 0) return result;
    const usage: Record<string, number> = {};
    for (const [name, total] of Object.entries(objectOf(result['usage']))) {
      if (numberOf(total) !== undefined) usage[name] = usages.reduce((sum, one) => sum + (numberOf(one[name]) ?? 0), 0);
    }
    return { ...result, usage };
  }
}

/** Maximum number of requests of a turn. */
const maxRequests = 10_000;
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
