import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../src/text/json';
import { arrayOf, objectOf, textOf } from '../../src/text/json';
import { parsedJson } from '../../src/text/jsonText';
import type { MockTurn } from './mockTurn';

/** A request of Gemini's "Generate content", in the form of a chat completion. */
export function chatOf(body: JsonObject): JsonObject {
  const tools = arrayOf(body['tools']).flatMap((tool) => arrayOf(objectOf(tool)['functionDeclarations']));
  const messages = arrayOf(body['contents'])
    .map(objectOf)
    .map(({ role, parts }) => {
      const all = arrayOf(parts).map(objectOf);
      const content = all.map((part) => textOf(part['text']) ?? '').join('\n');
      const isResult = all.some((part) => 'functionResponse' in part);
      return { role: isResult ? 'tool' : role === 'model' ? 'assistant' : role, content };
    });
  return { tools: tools.map((tool) => ({ function: tool })), messages };
}

/** Streams a response in that format. */
export function writeGenerated(response: ServerResponse, { words, toolCalls }: MockTurn): void {
  const calls = toolCalls.map(({ name, arguments: args }) => ({ functionCall: { name, args: parsedJson(args) } }));
  const parts = [...words.map((text) => ({ text })), ...calls];
  for (const [n, part] of parts.entries()) send(response, [part], n === parts.length - 1);
  response.end();
}

function send(response: ServerResponse, parts: readonly object[], isLast: boolean): void {
  const content = { role: 'model', parts };
  const candidates = [{ index: 0, content, ...(isLast && { finishReason: 'STOP' }) }];
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 };
  const chunk = { candidates, modelVersion: 'mock', ...(isLast && { usageMetadata }) };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** The same as one JSON object. */
export function wholeGenerated({ words }: MockTurn): object {
  const content = { role: 'model', parts: [{ text: words.join('') || 'ok' }] };
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 };
  return { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata };
}
