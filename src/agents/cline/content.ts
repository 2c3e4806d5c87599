import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { numberIn, partsOf } from '../reading/saved/parts';

/** A tool's input, with the commands of `run_commands` joined. */
export function inputOf(input: unknown): unknown {
  if (!isObject(input) || !Array.isArray(input['commands'])) return input;
  const commands = arrayOf(input['commands'])
    .slice(0, 20)
    .map((command) => textOf(command) ?? textOf(objectOf(command)['command']) ?? '');
  const { commands: _commands, ...rest } = input;
  return { command: commands.join(' && '), ...rest };
}

/** Cline's words for a tool that wasn't approved. */
const refusal = /\bNOT a tool or system failure\b/;

/** How a tool ended: by its result, which is a text, a list of results, or one. */
export function toolEndOf(content: unknown, isError = false): Pick<ToolEnd, 'outcome' | 'exitCode' | 'output'> {
  const results = isObject(content) ? [content] : typeof content === 'string' ? [] : partsOf(content);
  const hasFailed = isError || results.some(isFailure);
  const output = results.map(resultText).join('\n');
  const text = typeof content === 'string' ? content : output;
  return {
    outcome: refusal.test(text.slice(0, 2000)) ? 'refused' : hasFailed ? 'error' : 'ok',
    exitCode: numberIn(text.slice(0, 2000), /\bCommand (?:exited|failed) with (?:exit )?code (\d{1,10})\b/),
    output: text.replace(/^\[Command exited with code \d+\]\s*/, ''),
  };
}

/** The result of a command, or of a subagent. */
function isFailure({ success, error, finishReason }: JsonObject): boolean {
  return success === false || (success === undefined && typeof error === 'string') || finishReason === 'error';
}

function resultText(result: JsonObject): string {
  return textOf(result['result']) ?? textOf(result['error']) ?? textOf(result['text']) ?? '';
}
