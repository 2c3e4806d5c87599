import { contentTextOf } from './contentText';
import { boundedJson } from '../../text/boundedJson';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import type { JsonObject } from '../../text/json';

const exitField = /^(?:exit(?:_?(?:code|status))?|return_?code|rc)$/i;
const maxDepth = 3;
const maxJson = 65_536;

/** How a command ended, according to fields. */
export interface CommandEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

/** How the command of a tool call ended, from its raw output, `_meta` or `exitStatus`. */
export function commandEndOf({ rawOutput, _meta: meta, exitStatus }: JsonObject): CommandEnd {
  const places = [typeof rawOutput === 'string' ? parsedObject(rawOutput) : rawOutput, meta, exitStatus];
  const exitCode = places.map((place) => exitCodeIn(place)).find((code) => code !== undefined);
  return {
    exitCode,
    signal: exitCode === undefined ? places.map((place) => signalIn(place)).find(Boolean) : undefined,
  };
}

function signalIn(value: unknown, depth = 0): string | undefined {
  if (!isObject(value) || depth > maxDepth) return undefined;
  const own = textOf(value['signal']);
  if (own !== undefined && /^SIG[A-Z\d]{2,10}$/.test(own)) return own;
  for (const below of Object.values(value).slice(0, 50)) {
    const signal = signalIn(below, depth + 1);
    if (signal !== undefined) return signal;
  }
  return undefined;
}

/** The object in a JSON text. Some agents send raw output like this. */
export function parsedObject(text: string): unknown {
  if (!text.startsWith('{') || text.length > maxJson) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The exit code in a field of this value or of a nested one. */
export function exitCodeIn(value: unknown, depth = 0): number | undefined {
  if (!isObject(value) || depth > maxDepth) return undefined;
  const entries = Object.entries(value).slice(0, 50);
  for (const [name, code] of entries) {
    if (exitField.test(name.replace(/[- ]/g, '_')) && isExitCode(code)) return Number(code);
  }
  for (const [, below] of entries) {
    const code = exitCodeIn(below, depth + 1);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Claude Code starts the result of a failed command with its exit code, its ACP agent in a block of code. */
export function leadingExitCode(output: string): number | undefined {
  const [, code] = /^(?:```\w{1,20}\s)?\W*Exit code:? (\d{1,3})\b/i.exec(output) ?? [];
  return code === undefined ? undefined : Number(code);
}

function isExitCode(value: unknown): boolean {
  return Number.isInteger(value) || (typeof value === 'string' && /^-?\d{1,5}$/.test(value));
}

/** The command line in a tool's input, which may be a string or a list of arguments. */
export function commandOf(input: unknown): string | undefined {
  const { command, cmd } = objectOf(input);
  const given = command ?? cmd;
  if (typeof given === 'string') return textOf(given);
  const words = arrayOf(given)
    .slice(0, 50)
    .map((word) => (typeof word === 'string' ? word : boundedJson(word, 200)));
  if (words.length === 0) return undefined;
  // `bash -lc SCRIPT`
  const isShell = /(?:^|\/)(?:ba|da|z|k)?sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '');
  return (isShell ? words[2] : undefined) ?? words.join(' ');
}

/** The error in a tool's raw output, if any. Codex keeps the result of an MCP tool in `result`. */
export function outputError(output: unknown, depth = 0): string | undefined {
  if (!isObject(output) || depth > maxDepth) return undefined;
  const { error, result } = output;
  const told = textOf(error) ?? textOf(objectOf(error)['message']);
  if (told !== undefined) return told;
  if (isObject(error) && Object.keys(error).length > 0) return 'an error without a message';
  if (isObject(result) && result['isError'] === true) return outputError(result, depth + 1);
  if (output['isError'] !== true && output['is_error'] !== true && output['success'] !== false) return undefined;
  return (
    textOf(output['message']) ??
    textOf(output['output']) ??
    contentTextOf(output['content']) ??
    'an error without a message'
  );
}

/** The error of a result that reports its own failure: `{"success": false, "error": "…"}`. */
export function ownFailure(result: unknown): string | undefined {
  if (!isObject(result) || (result['success'] !== false && result['ok'] !== false)) return undefined;
  const { error, message, reason } = result;
  return textOf(error) ?? textOf(objectOf(error)['message']) ?? textOf(message) ?? textOf(reason);
}

const failedState = /^(?:fail(?:ed|ure)?|error(?:ed)?|crashed|timed[_ -]?out)$/i;

/** The error of a subagent that a tool call ran or waited for, from its raw output, or from the subagents that it lists (Codex). */
export function childFailure({ rawInput, rawOutput }: JsonObject): string | undefined {
  const listed = [rawOutput, rawInput].flatMap((place) => {
    const { agentsStates, agents_states: states = agentsStates } = objectOf(place);
    return Object.values(objectOf(states)).slice(0, 50);
  });
  const places = [...listed, rawOutput, objectOf(rawOutput)['metadata']];
  return places.map(stateError).find((error) => error !== undefined);
}

/** The error of a result whose own state is that of a failure: `{"status": "error", "message": "…"}`. */
export function stateError(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const state = [result['state'], result['status']].map(textOf).find((one) => failedState.test(one ?? ''));
  if (state === undefined) return undefined;
  const { error, message, reason, result: answer, output, summary } = result;
  const words = [error, objectOf(error)['message'], message, reason, answer, output, summary];
  return words.map(textOf).find((one) => one !== undefined) ?? state;
}
