import type { JsonObject } from '../../src/text/json';
import { arrayOf, objectOf, textOf } from '../../src/text/json';
import { sceneTurn } from './mockScenes';

/** The model's response to one request. */
export interface MockTurn {
  readonly number: number;
  /** The response never ends after its first word. */
  readonly hangs: boolean;
  /** The text, in chunks. */
  readonly words: readonly string[];
  /** Time between chunks, in milliseconds. */
  readonly pause: number;
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolCall {
  readonly name: string;
  /** Codex groups its tools. */
  readonly namespace?: string | undefined;
  /** A JSON object as text. */
  readonly arguments: string;
}

/** Exits with 3 after writing to both outputs. The code isn't in the command, so if it is in the log, the agent reported it. */
const command = 'echo out; echo err >&2; exit $((1+2))';

/** The chunks of the model's usual sentence. */
const sentence = ['Hello ', 'from ', 'the mock.'];

const shells = /^(bash|shell|run_shell_command|run_commands|exec_command|shell_command)$/;

/** The model's response: that of a scene, or a call of a shell tool if the agent has one, once per prompt, and then a sentence. */
export function mockTurn(number: number, body: JsonObject, hangs: boolean): MockTurn {
  const scene = hangs ? undefined : sceneTurn(body);
  if (scene) {
    const { say, words, toolCalls } = scene;
    const chunks =
      words === undefined ? (say.match(/\S+\s*/g) ?? []) : Array.from({ length: words }, (_, i) => `word${i} `);
    return { number, hangs, words: chunks, pause: words === undefined ? 0 : 500, toolCalls };
  }
  const call = hangs ? undefined : toolCallFor(body);
  const words = hangs ? ['thinking '] : call ? [] : sentence;
  return { number, hangs, words, pause: 0, toolCalls: call ? [call] : [] };
}

function toolCallFor(body: JsonObject): ToolCall | undefined {
  const name = arrayOf(body['tools'])
    .map(objectOf)
    .map((tool) => textOf(objectOf(tool['function'])['name']) ?? textOf(tool['name']))
    .find((tool) => tool !== undefined && shells.test(tool));
  if (name === undefined || hasResult(arrayOf(body['messages'] ?? body['input']).map(objectOf))) return undefined;
  return { name, arguments: JSON.stringify(argumentsOf(name)) };
}

function argumentsOf(shell: string): object {
  if (shell === 'exec_command') return { cmd: command };
  return shell === 'run_commands' ? { commands: [command] } : { command, description: 'Fail on purpose' };
}

/** Whether there is a tool result after the last user message. */
function hasResult(messages: readonly JsonObject[]): boolean {
  const prompt = messages.map(({ role }) => role).lastIndexOf('user');
  return messages.slice(prompt + 1).some(({ role, type }) => role === 'tool' || type === 'function_call_output');
}
