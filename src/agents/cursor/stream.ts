import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { ownKey } from '../../text/ownText';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { AgentStream } from '../reading/streams/agentStream';
import { byType, startOf } from '../reading/streams/eventReaders';
import { resultFailure } from '../reading/streams/resultFailure';
import { usageOf } from '../../work/usage/usage';
import { callIn, endOf } from './tools';

/** How much of a message to compare with its parts, in characters. */
const maxCompared = 10_000;

/**
 * Cursor CLI, `--output-format stream-json` (cursor.com/docs/cli/reference/output-format): events like Claude Code's, and tool calls of
 * its own. A failed run has no `result`: the error is on stderr. Written from the documentation and recordings by others.
 */
export const stream: AgentStream = {
  tried: { recorded: '2026.09' },
  recognises,
  resembles,
  reader: () => new CursorStreamReader(),
};

function recognises(event: JsonObject): boolean {
  if (event['type'] === 'tool_call') {
    return textOf(event['subtype']) !== undefined && isObject(event['tool_call']) && 'call_id' in event;
  }
  // Claude Code names its tools, too.
  const isStart = event['type'] === 'system' && event['subtype'] === 'init' && 'apiKeySource' in event;
  return isStart && !('tools' in event || 'mcp_servers' in event || 'uuid' in event);
}

function resembles(event: JsonObject): boolean {
  return event['type'] === 'tool_call' && isObject(event['tool_call']);
}

class CursorStreamReader implements AgentReader {
  /** The parts of the current message: with `--stream-partial-output`, the whole message follows them. */
  private said = { head: '', length: 0 };
  private readonly reader = byType({
    system: startOf('Cursor CLI'),
    user: (event, writer) => {
      writer.turnStarted('', { isNew: false });
      writer.prompt(textIn(event));
    },
    assistant: (event, writer) => this.readAnswer(event, writer),
    thinking: readThought,
    tool_call: (event, writer) => this.readTool(event, writer),
    result: (event, writer) => this.readResult(event, writer),
  });

  read(event: JsonObject, writer: AgentWriter): void {
    this.reader.read(event, writer);
  }

  private readAnswer(event: JsonObject, writer: AgentWriter): void {
    const text = textIn(event);
    const { head, length } = this.said;
    this.said = { head: '', length: 0 };
    if (length > 0 && text.length === length && text.startsWith(head)) return writer.quiet();
    if (!('timestamp_ms' in event) || 'model_call_id' in event) return writer.answer(text);
    this.said = { head: ownKey(`${head}${text}`, maxCompared), length: length + text.length };
    writer.says('agent', text);
    writer.chunk('agent', undefined, text, false);
  }

  private readTool(event: JsonObject, writer: AgentWriter): void {
    this.said = { head: '', length: 0 };
    // The start has another ID on a second line.
    const id = textOf(event['call_id'])?.split('\n', 1)[0];
    const { name, input, body } = callIn(objectOf(event['tool_call']));
    switch (event['subtype']) {
      case 'started':
        return writer.toolStarted(id, name, input);
      case 'completed':
        if (!writer.hasTool(id)) writer.toolStarted(id, name, input, { isShown: false });
        return writer.toolEnded(id, endOf(body));
      default:
        return writer.toolRuns(id, {});
    }
  }

  private readResult(event: JsonObject, writer: AgentWriter): void {
    this.said = { head: '', length: 0 };
    const failure = resultFailure(event, undefined);
    writer.turnEnded({
      outcome: failure ? 'error' : 'ok',
      error: failure?.type === 'failed' ? failure.words : undefined,
      failure,
      took: numberOf(event['duration_ms']),
      answer: textOf(event['result']),
      usage: usageOf(objectOf(event['usage']), 'turn'),
      level: 'info',
    });
    writer.ended();
  }
}

function readThought(event: JsonObject, writer: AgentWriter): void {
  const text = textOf(event['text']);
  if (text === undefined) return writer.activity({ type: 'progress' });
  writer.says('thought', text);
  writer.chunk('thought', undefined, text, false);
}

function textIn(event: JsonObject): string {
  return outputText(objectOf(event['message'])['content']);
}
