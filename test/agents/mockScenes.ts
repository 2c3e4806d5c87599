import type { JsonObject } from '../../src/text/json';
import { arrayOf, objectOf, textOf } from '../../src/text/json';
import type { ToolCall } from './mockTurn';

/** One response of the model. */
interface Step {
  readonly say?: string;
  /** Number of words to stream, two in a second. */
  readonly words?: number;
  readonly shell?: string;
  readonly asks?: boolean;
  readonly isBackground?: boolean;
  /** The prompt of a subagent, and its name. */
  readonly delegate?: readonly [prompt: string, title: string];
  /** Calls the tool whose name ends like this, with these arguments. */
  readonly tool?: readonly [name: string, input: JsonObject];
  /** Says what an answer of a tool has behind this. */
  readonly quotes?: string;
  /** Waits for subagents, in agents that have a tool for that. */
  readonly waits?: true;
}

/** The session about which the scene `problems` asks. */
export const failedSession = '0c5f0f0e-0000-4000-8000-000000000002';

/** What the model does, response by response. The newest prompt with a marker such as `[[tool]]` chooses the scene. */
const scenes: Readonly<Record<string, readonly Step[]>> = {
  tool: [{ shell: 'echo out' }, { say: 'The command ran.' }],
  // The code isn't in the command, so if it is in the log, the agent reported it.
  fail: [{ shell: 'echo out; exit $((1+2))' }, { say: 'Hello from the mock.' }],
  ask: [{ shell: 'touch asked.txt', asks: true }, { say: 'Asked and done.' }],
  slow: [{ words: 6 }],
  // Until the test is ready: it puts this file into the project, and removes it.
  long: [{ shell: 'while [ -e busy ]; do sleep 0.2; done; echo done' }, { say: 'It took a while.' }],
  background: [{ shell: 'sleep 2; echo finished', isBackground: true }, { say: 'It runs in the background.' }],
  delegate: [{ delegate: ['[[tool]]', 'Count files'] }, { waits: true }, { say: 'The child is done.' }],
  nested: [{ delegate: ['[[delegate]]', 'Delegating job'] }, { waits: true }, { say: 'The grandchild is done.' }],
  problems: [{ tool: ['list_runs', {}] }, { tool: ['problems', { run: failedSession }] }, { quotes: 'What to do: ' }],
  delegateAsk: [{ delegate: ['[[ask]]', 'Asking job'] }, { waits: true }, { say: 'The child asked.' }],
};

/** Tools that wait for subagents, and for MCP servers that are still starting. */
const subagentsWait = /^(wait_agent|wait)$/;
const serversWait = /^WaitForMcpServers$/;

/** The model's next response. */
export interface SceneTurn {
  readonly say: string;
  readonly words: number | undefined;
  readonly toolCalls: readonly ToolCall[];
}

interface Said {
  readonly by: 'user' | 'model' | 'tool';
  readonly text: string;
}

interface OfferedTool {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** The response to a request of OpenAI's Responses or Anthropic's Messages; `undefined` if no prompt has a marker. */
export function sceneTurn(body: JsonObject): SceneTurn | undefined {
  const said = conversationOf(body);
  const tools = toolsOf(body);
  const at = said.findLastIndex(({ by, text }) => by === 'user' && markerOf(text) !== undefined);
  const scene = scenes[markerOf(said[at]?.text ?? '') ?? ''];
  if (!scene) return undefined;
  const last = said.findLast(({ by }) => by === 'user')?.text ?? '';
  const notified = said.slice(at + 1).some(({ by, text }) => by === 'user' && isNotification(text));
  if (notified) return turn('I see that the background work has ended.');
  if (/\bsummar(y|ize)\b/i.test(last) && markerOf(last.slice(-400)) === undefined) {
    return turn('<summary>The user asked for things, and the mock did them.</summary>');
  }
  if (tools.length === 0) return turn('Mock title');
  const steps = scene.filter(({ waits }) => !waits || tools.some(({ name }) => subagentsWait.test(name)));
  const done = said.slice(at + 1).filter(({ by }) => by === 'model').length;
  const step = steps[Math.min(done, steps.length - 1)] ?? {};
  const say = step.quotes === undefined ? (step.say ?? '') : quoted(step.quotes, body);
  return { say, words: step.words, toolCalls: callsOf(step, tools, body) };
}

function turn(say: string): SceneTurn {
  return { say, words: undefined, toolCalls: [] };
}

/** What the newest answer of a tool has behind a text, to the end of the line. */
function quoted(before: string, body: JsonObject): string {
  const texts = JSON.stringify(body).split(before).slice(1);
  return `The log says: ${texts.at(-1)?.split(/[\\"]/)[0] ?? 'nothing'}`;
}

function callsOf(
  { tool: named, shell, asks, isBackground, delegate, waits }: Step,
  tools: readonly OfferedTool[],
  body: JsonObject,
) {
  const pick = (names: RegExp): OfferedTool | undefined => tools.find(({ name }) => names.test(name));
  const calls: [OfferedTool | undefined, JsonObject][] = [];
  if (shell !== undefined) {
    const tool = pick(/^(Bash|bash|Execute|exec_command|run_commands|run_shell_command)$/);
    const escalated = { sandbox_permissions: 'require_escalated', justification: 'May I do this outside the sandbox?' };
    const ofCodex = { cmd: shell, ...(isBackground && { yield_time_ms: 500 }), ...(asks && escalated) };
    const ofClaude = { command: shell, description: 'Run a command', run_in_background: isBackground === true };
    const byName: Readonly<Record<string, JsonObject>> = {
      exec_command: ofCodex,
      run_commands: { commands: [shell] },
      Execute: { command: shell, summary: 'Run a command', riskLevel: 'low', riskLevelReason: 'It only prints.' },
      bash: { command: shell, description: 'Run a command' },
    };
    calls.push([tool, byName[tool?.name ?? ''] ?? ofClaude]);
  }
  if (named) {
    const tool = pick(new RegExp(`${named[0]}$`));
    calls.push(tool ? [tool, named[1]] : [pick(serversWait), {}]);
  }
  if (delegate) {
    const [prompt, description] = delegate;
    const tool = pick(/^(Agent|Task|spawn_agent)$/);
    const ofClaude = { description, prompt, subagent_type: 'general-purpose', run_in_background: false };
    calls.push([tool, tool?.name === 'spawn_agent' ? { message: prompt } : ofClaude]);
  }
  if (waits) {
    const text = JSON.stringify(body);
    const children = [...new Set([...text.matchAll(/agent_id\\?"\s*:\s*\\?"([^"\\]+)/g)].map(([, id]) => id))];
    calls.push([pick(subagentsWait), { targets: children.slice(-1), timeout_ms: 30_000 }]);
  }
  return calls.flatMap(([tool, args]) => (tool ? [{ ...tool, arguments: JSON.stringify(args) }] : []));
}

function isNotification(text: string): boolean {
  return /task-notification|subagent_notification/.test(text);
}

function markerOf(text: string): string | undefined {
  return [...text.matchAll(/\[\[(\w+)\]\]/g)].at(-1)?.[1];
}

function toolsOf(body: JsonObject): readonly OfferedTool[] {
  return arrayOf(body['tools'])
    .map(objectOf)
    .flatMap((tool) => {
      const name = textOf(tool['name']) ?? textOf(objectOf(tool['function'])['name']);
      if (tool['type'] !== 'namespace') return name === undefined ? [] : [{ name, namespace: undefined }];
      const inside = arrayOf(tool['tools']).map((one) => textOf(objectOf(one)['name']));
      return inside.flatMap((one) => (one === undefined ? [] : [{ name: one, namespace: name }]));
    });
}

function conversationOf(body: JsonObject): readonly Said[] {
  const messages = arrayOf(body['messages'] ?? body['input']).map(objectOf);
  return messages.flatMap((message): Said[] => {
    const { role, type, content } = message;
    const text = contentText(content);
    if (arrayOf(content).some((part) => serversWait.test(textOf(objectOf(part)['name']) ?? ''))) return [];
    if (role === 'assistant' || type === 'function_call' || type === 'custom_tool_call') return [{ by: 'model', text }];
    if (type === 'agent_message') return [{ by: 'user', text: JSON.stringify(content) }];
    if (role !== 'user') return role === undefined ? [{ by: 'tool', text }] : [];
    const isResult = arrayOf(content).some((part) => objectOf(part)['type'] === 'tool_result');
    return [{ by: isResult && !isNotification(text) && markerOf(text) === undefined ? 'tool' : 'user', text }];
  });
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return arrayOf(content)
    .map((part) => textOf(objectOf(part)['text']) ?? '')
    .join('\n');
}
