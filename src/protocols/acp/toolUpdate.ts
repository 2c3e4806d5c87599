import { ownHead, ownTail } from '../../log/ownText';
import type { ActivityDraft, ToolFact } from '../../work/activity';
import { maxActivityId } from '../../work/activity';
import { childFailure, commandEndOf, commandOf, contentTextOf, outputError } from '../../work/toolOutput';
import type { JsonObject } from '../../log/json';
import { arrayOf, objectOf, textOf } from '../../log/json';

/** Outcomes by final state. */
export const outcomes: ReadonlyMap<unknown, ToolFact['outcome']> = new Map([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
]);
const maxTitle = 300;
const maxOutput = 1000;
const maxCommand = 1000;
const maxTerminals = 20;

/** Updates contain only changed fields. Without a status, one either starts a call or adds to it. */
export function toolOf(update: JsonObject): ActivityDraft {
  const id = idOf(update['toolCallId']);
  if (id === undefined) return { type: 'progress' };
  const { status } = update;
  const outcome = outcomes.get(status);
  const isRunning = update['sessionUpdate'] === 'tool_call' || textOf(status) !== undefined;
  const ofClaude = objectOf(objectOf(update['_meta'])['claudeCode']);
  const output = outputOf(update);
  const about = {
    type: 'tool',
    id,
    parentId: idOf(ofClaude['parentToolUseId']),
    title: headOf(update['title'], maxTitle),
    name: headOf(textOf(update['name']) ?? ofClaude['toolName'], maxTitle),
    command: headOf(commandOf(update['rawInput']), maxCommand),
    isCommand: update['kind'] === undefined ? undefined : update['kind'] === 'execute',
    isNew: update['sessionUpdate'] === 'tool_call',
    terminals: terminalsOf(update['content']),
    ...commandEndOf(update),
    error: headOf(outputError(update['rawOutput']), maxOutput),
    childError: headOf(childFailure(update), maxOutput),
    output: output && headAndTail(output),
    // OpenCode's `task`. Agents that announce subagent sessions don't send this tool call.
    ...(textOf(objectOf(update['rawInput'])['subagent_type']) !== undefined && { isSubagent: true }),
  } as const;
  if (!outcome) return { ...about, change: isRunning ? 'running' : 'updated' };
  return { ...about, change: 'ended', outcome };
}

function outputOf({ content, _meta: meta, rawOutput }: JsonObject): string | undefined {
  return (
    contentTextOf(content) ??
    textOf(objectOf(objectOf(meta)['terminal_output_delta'])['data']) ??
    contentTextOf(rawOutput) ??
    textOf(objectOf(rawOutput)['output'])
  );
}

/** Keeps both ends, because either may contain the exit code. */
function headAndTail(output: string): string {
  if (output.length <= maxOutput) return ownHead(output, maxOutput);
  return `${ownHead(output, maxOutput * 0.2)}\n${ownTail(output, maxOutput * 0.7)}`;
}

function terminalsOf(content: unknown): readonly string[] | undefined {
  const ids = arrayOf(content)
    .slice(0, maxTerminals)
    .map(objectOf)
    .flatMap(({ type, terminalId }) => (type === 'terminal' ? (idOf(terminalId) ?? []) : []));
  return ids.length === 0 ? undefined : ids;
}

export function headOf(value: unknown, length: number): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : ownHead(text, length);
}

export function idOf(id: unknown): string | undefined {
  return textOf(id)?.slice(0, maxActivityId);
}
