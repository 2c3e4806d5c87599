import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { numberIn, partsOf, textIn } from '../reading/saved/parts';

// The blocks of Anthropic's Messages API, which streams and saved sessions have alike.

/** Reads the blocks of a message, and reports how many are left out. */
export function readBlocks(message: unknown, writer: AgentWriter, read: (blocks: readonly JsonObject[]) => void): void {
  const { content } = objectOf(message);
  const blocks = partsOf(content);
  read(blocks);
  const left = arrayOf(content).length - blocks.length;
  if (left > 0) writer.note({ level: 'notice', logger: 'session', message: `${left} more blocks of the same message` });
}

interface AnswerPlace extends NonNullable<Parameters<AgentWriter['answer']>[1]> {
  /** The tool call that the answer is part of. */
  readonly parentId?: string | undefined;
}

/** Reads a block of an answer. */
export function readAnswerBlock(block: JsonObject, writer: AgentWriter, { parentId, ...place }: AnswerPlace): void {
  const type = textOf(block['type']);
  switch (type) {
    case 'text':
      return writer.answer(textOf(block['text']), place);
    case 'thinking':
      // The model may keep it to itself.
      if (textOf(block['thinking']) === undefined) return writer.activity({ type: 'progress' });
      return writer.thought(textOf(block['thinking']));
    case 'redacted_thinking':
      return writer.thought('(not shown by the model)');
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return writer.toolStarted(textOf(block['id']), textOf(block['name']), block['input'], { parentId });
    default:
      writer.activity({ type: 'progress' });
      writer.note({ level: 'info', logger: type ?? 'agent', message: boundedJson(block, 1000) });
  }
}

/** True for the result of a tool, such as one of the provider's own in an answer. */
export function isResult({ type }: JsonObject): boolean {
  return typeof type === 'string' && /(?:^|_)tool_result$/.test(type);
}

/** What a block says about the end of its tool call. */
export function resultOf(block: JsonObject): ToolEnd {
  const { content } = block;
  const isFailed = block['is_error'] === true;
  const text = outputText(content);
  // Bash reports the exit code only in the text.
  const exitCode = isFailed ? numberIn(text, exitPattern) : undefined;
  return {
    outcome: isFailed ? 'error' : 'ok',
    exitCode,
    output: textIn(content),
    shown: exitCode === undefined ? text : text.replace(exitPattern, '').trimStart(),
  };
}

const exitPattern = /^(?:Error: )?Exit code (\d{1,10})\b/;

/** Reports a block of the user's that isn't text. */
export function readAttached(block: JsonObject, writer: AgentWriter): void {
  const message = `(${textOf(block['type']) ?? 'unknown'})`;
  writer.note({ level: 'info', logger: 'prompt', content: 'prompt', message });
}
