import type { JsonObject } from '../../src/protocols/json';
import { arrayOf, objectOf, textOf } from '../../src/protocols/json';

/** The model's response to one request. */
export interface MockTurn {
  readonly number: number;
  /** The response never ends. */
  readonly hangs: boolean;
  /** The tool to call; if absent, the response is text. */
  readonly toolCall: ToolCall | undefined;
}

export interface ToolCall {
  readonly name: string;
  /** A JSON object as text. */
  readonly arguments: string;
}

/** Exits with 3 after writing to both outputs. The code isn't in the command, so if it is in the log, the agent reported it. */
const command = 'echo out; echo err >&2; exit $((1+2))';

/** The chunks of the model's only sentence. */
export const sentence = ['Hello ', 'from ', 'the mock.'];

const shells = /^(bash|shell|run_shell_command|exec_command|shell_command)$/;

/** Calls a shell tool if the agent has one, once per prompt. */
export function toolCallFor(body: JsonObject): ToolCall | undefined {
  const name = arrayOf(body['tools'])
    .map(objectOf)
    .map((tool) => textOf(objectOf(tool['function'])['name']) ?? textOf(tool['name']))
    .find((tool) => tool !== undefined && shells.test(tool));
  if (name === undefined || hasResult(arrayOf(body['messages'] ?? body['input']).map(objectOf))) return undefined;
  const args = name === 'exec_command' ? { cmd: command } : { command, description: 'Fail on purpose' };
  return { name, arguments: JSON.stringify(args) };
}

/** Whether there is a tool result after the last user message. */
function hasResult(messages: readonly JsonObject[]): boolean {
  const prompt = messages.map(({ role }) => role).lastIndexOf('user');
  return messages.slice(prompt + 1).some(({ role, type }) => role === 'tool' || type === 'function_call_output');
}
