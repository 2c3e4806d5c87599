import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { numberIn, partsOf } from '../reading/saved/parts';
import { parsedObject } from '../../work/tools/toolOutput';

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

/** What it says of a command that the user stopped. */
const abort = /\bCommand was aborted\b/;

/** How a tool ended: by its result, which is a text, a list of results, or one, which a saved session has as JSON. */
export function toolEndOf(content: unknown, isError = false): Pick<ToolEnd, 'outcome' | 'exitCode' | 'output'> {
  const given = typeof content === 'string' ? (parsedObject(content) ?? content) : content;
  const results = isObject(given) ? [given] : typeof given === 'string' ? [] : partsOf(given);
  const hasFailed = isError || results.some(isFailure);
  const output = results.map(resultText).join('\n');
  const text = typeof given === 'string' ? given : output;
  const start = text.slice(0, 2000);
  return {
    outcome: refusal.test(start) ? 'refused' : !hasFailed ? 'ok' : abort.test(start) ? 'cancelled' : 'error',
    exitCode: numberIn(start, /\bCommand (?:exited|failed) with (?:exit )?code (\d{1,10})\b/),
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
