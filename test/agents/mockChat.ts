import type { ServerResponse } from 'node:http';
import type { MockTurn } from './mockTurn';
import { sentence } from './mockTurn';

/** Streams a response in the format of OpenAI's "Create chat completion". */
export function writeChatCompletion(response: ServerResponse, { number, hangs, toolCall }: MockTurn): void {
  const send = (delta: object, finish?: string): void => {
    const choices = [{ index: 0, delta, ...(finish !== undefined && { finish_reason: finish }) }];
    const usage = finish === undefined ? {} : { usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 } };
    const chunk = { id: `c${number}`, object: 'chat.completion.chunk', created: 1, model: 'mock', choices, ...usage };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  if (hangs) {
    send({ role: 'assistant', content: 'thinking ' });
    return;
  }
  if (toolCall) {
    const call = { index: 0, id: `call_${number}`, type: 'function', function: toolCall };
    send({ role: 'assistant', tool_calls: [call] });
    send({}, 'tool_calls');
  } else {
    for (const content of sentence) send({ role: 'assistant', content });
    send({}, 'stop');
  }
  response.end('data: [DONE]\n\n');
}
