import type { ServerResponse } from 'node:http';
import type { MockTurn } from './mockTurn';

/** Streams a response in the format of OpenAI's "Create chat completion". */
export function writeChatCompletion(response: ServerResponse, { number, hangs, words, toolCalls }: MockTurn): void {
  const send = (delta: object, finish?: string): void => {
    const choices = [{ index: 0, delta, ...(finish !== undefined && { finish_reason: finish }) }];
    const usage = finish === undefined ? {} : { usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 } };
    const chunk = { id: `c${number}`, object: 'chat.completion.chunk', created: 1, model: 'mock', choices, ...usage };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  if (hangs) {
    send({ role: 'assistant', content: words[0] ?? '' });
    return;
  }
  for (const content of words) send({ role: 'assistant', content });
  for (const [index, call] of toolCalls.entries()) {
    const id = `call_${number}_${index}`;
    send({ role: 'assistant', tool_calls: [{ index, id, type: 'function', function: call }] });
  }
  send({}, toolCalls.length > 0 ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}
