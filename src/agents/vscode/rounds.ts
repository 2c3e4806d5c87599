import type { JsonObject } from '../../log/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../log/json';
import { parsedJson } from '../../log/jsonText';
import { boundedValue, cutMiddle } from './responsePart';

/** Maximum number of calls and of texts in a result, and depth of those. */
const maxCalls = 5000;
const maxTexts = 200;
const maxDepth = 12;

interface Call {
  readonly id: string;
  readonly line: JsonObject;
}

/** The model's calls of tools in the result of a request, with their inputs and outputs. The parts of the response lack some of them. */
export class Rounds {
  /** Number of model calls. */
  readonly count: number;
  private readonly calls = new Map<string, Call>();

  constructor(request: JsonObject) {
    const { toolCallRounds, toolCallResults } = objectOf(objectOf(request['result'])['metadata']);
    const rounds = arrayOf(toolCallRounds).slice(0, maxCalls).map(objectOf);
    this.count = rounds.length;
    for (const round of rounds) {
      for (const call of arrayOf(round['toolCalls']).map(objectOf)) {
        const full = textOf(call['id']);
        if (full === undefined || this.calls.size >= maxCalls) continue;
        const id = full.replace(/__vscode-\d+$/, '');
        this.calls.set(id, {
          id,
          line: callLine(id, call, objectOf(toolCallResults)[full], numberOf(round['timestamp'])),
        });
      }
    }
  }

  /** What the result adds to a part. */
  callOf({ toolCallId, toolSpecificData }: JsonObject): JsonObject {
    const call = this.calls.get(textOf(toolCallId) ?? '')?.line;
    if (!call) return {};
    const { toolId, ts, input, output } = call;
    const { terminalCommandOutput, terminalCommandState } = objectOf(toolSpecificData);
    return {
      toolId,
      ...(ts !== undefined && !isObject(terminalCommandState) && { ts }),
      ...(ts !== undefined && { startedAt: ts }),
      ...(input !== undefined && { input }),
      ...(output !== undefined && !isObject(terminalCommandOutput) && { output }),
    };
  }

  /** Calls that have no part in the response, as those that failed before they began. */
  withoutPart(parts: readonly unknown[]): readonly Call[] {
    const shown = new Set(parts.map((part) => objectOf(part)['toolCallId']));
    return [...this.calls.values()].filter(({ id }) => !shown.has(id));
  }
}

function callLine(id: string, call: JsonObject, result: unknown, timestamp: number | undefined): JsonObject {
  const text = textOf(call['arguments']);
  return {
    type: 'vscode.tool',
    toolId: call['name'],
    toolCallId: id,
    ...(timestamp !== undefined && { ts: timestamp }),
    ...(text !== undefined && { input: boundedValue(parsedJson(text) ?? text) }),
    ...(result !== undefined && { output: cutMiddle(textsIn(objectOf(result)['content']).join('\n')) }),
  };
}

/** The texts of a result, which may be nodes of a prompt. */
function textsIn(content: unknown): readonly string[] {
  const texts: string[] = [];
  const look = (value: unknown, depth: number): void => {
    if (texts.length >= maxTexts || depth > maxDepth) return;
    if (Array.isArray(value)) {
      for (const one of value) look(one, depth);
      return;
    }
    const { value: inner, text, node, children } = objectOf(value);
    const said = textOf(inner) ?? textOf(text);
    if (said !== undefined && said.trim() !== '') texts.push(said);
    if (isObject(inner)) look(inner, depth + 1);
    if (isObject(node)) look(node, depth + 1);
    look(arrayOf(children), depth + 1);
  };
  look(arrayOf(content), 0);
  return texts;
}
