import type { JsonObject } from '../../src/protocols/json';
import { arrayOf, objectOf, textOf } from '../../src/protocols/json';

/** What the model answers to one request. */
export interface MockTurn {
  readonly number: number;
  /** It never comes to an end. */
  readonly hangs: boolean;
  /** It wants a tool called; without one it says something. */
  readonly toolCall: ToolCall | undefined;
}

export interface ToolCall {
  readonly name: string;
  /** A JSON object, as text. */
  readonly arguments: string;
}

/** Ends with code 3 after writing to both outputs. The code does not stand in the text: who finds it in the log knows it from the agent. */
const command = 'echo out; echo err >&2; exit $((1+2))';

/** The pieces in which the model says its one sentence. */
export const sentence = ['Hello ', 'from ', 'the mock.'];

const shells = /^(bash|shell|run_shell_command|exec_command|shell_command)$/;

/** Calls a shell where there is one, once for each prompt. */
export function toolCallFor(body: JsonObject): ToolCall | undefined {
  const name = arrayOf(body['tools'])
    .map(objectOf)
    .map((tool) => textOf(objectOf(tool['function'])['name']) ?? textOf(tool['name']))
    .find((tool) => tool !== undefined && shells.test(tool));
  if (name === undefined || hasResult(arrayOf(body['messages'] ?? body['input']).map(objectOf))) return undefined;
  const args = name === 'exec_command' ? { cmd: command } : { command, description: 'Fail on purpose' };
  return { name, arguments: JSON.stringify(args) };
}

/** Whether a tool has answered since the person last said something. */
function hasResult(messages: readonly JsonObject[]): boolean {
  const prompt = messages.map(({ role }) => role).lastIndexOf('user');
  return messages.slice(prompt + 1).some(({ role, type }) => role === 'tool' || type === 'function_call_output');
}
