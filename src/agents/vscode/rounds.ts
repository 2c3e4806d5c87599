import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import { boundedValue, outputEnds } from './responsePart';

/** Maximum number of calls and of texts in a result, and depth of those. */
const maxCalls = 5000;
const maxTexts = 200;
const maxDepth = 12;
/** Maximum number of answers to look for in vain: each may take as long as the text. */
const maxMisses = 20;

interface Call {
  readonly id: string;
  readonly line: JsonObject;
  /** What the model said before it. */
  readonly said: string;
  /** When the model answered next, in milliseconds since the epoch: the call had ended by then. */
  readonly nextAt: number | undefined;
}

/** The model's calls of tools in the result of a request, with their inputs and outputs. The parts of the response lack some of them. */
export class Rounds {
  /** Number of model calls. */
  readonly count: number;
  private readonly calls = new Map<string, Call>();
  private lacking: Call[] | undefined;
  private misses = 0;

  constructor(request: JsonObject) {
    const { toolCallRounds, toolCallResults } = objectOf(objectOf(request['result'])['metadata']);
    const rounds = arrayOf(toolCallRounds).slice(0, maxCalls).map(objectOf);
    this.count = rounds.length;
    for (const [index, round] of rounds.entries()) {
      for (const call of arrayOf(round['toolCalls']).map(objectOf)) {
        const full = textOf(call['id']);
        if (full === undefined || this.calls.size >= maxCalls) continue;
        const id = full.replace(/__vscode-\d+$/, '');
        this.calls.set(id, {
          id,
          nextAt: numberOf(rounds[index + 1]?.['timestamp']),
          said: (textOf(round['response']) ?? '').trim(),
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

  /** When a part's call had ended at the latest. */
  endedBy({ toolCallId }: JsonObject): JsonObject {
    const ts = this.calls.get(textOf(toolCallId) ?? '')?.nextAt;
    return ts === undefined ? {} : { ts };
  }

  /** An answer, with the calls between that have no part in the response, as those that failed before they began. */
  *divided(answer: string, parts: readonly unknown[]): Generator<string | Call> {
    const lacking = this.without(parts);
    let rest = answer;
    let isPlaced = false;
    for (let call = lacking[0]; call && this.misses < maxMisses; call = lacking[0]) {
      const at = call.said === '' ? -1 : rest.indexOf(call.said);
      if (at < 0 && !(call.said === '' && isPlaced)) {
        this.misses++;
        break;
      }
      const end = at < 0 ? 0 : at + call.said.length;
      if (end > 0) yield rest.slice(0, end);
      rest = rest.slice(end);
      isPlaced = true;
      // Calls of the same round follow each other.
      const { said } = call;
      do yield lacking.shift() ?? call;
      while (lacking[0] !== undefined && said !== '' && lacking[0].said === said);
    }
    if (rest !== '') yield rest;
  }

  /** The other calls without a part. */
  left(parts: readonly unknown[]): readonly Call[] {
    return this.without(parts).splice(0);
  }

  private without(parts: readonly unknown[]): Call[] {
    if (this.calls.size === 0) return [];
    if (!this.lacking) {
      const shown = new Set(parts.map((part) => objectOf(part)['toolCallId']));
      this.lacking = [...this.calls.values()].filter(({ id }) => !shown.has(id));
    }
    return this.lacking;
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
    ...(result !== undefined && { output: outputEnds(textsIn(objectOf(result)['content']).join('\n')) }),
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
