import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { MockTurn } from './mockTurn';

/** Streams a response in the format of OpenAI's "Create a model response". */
export async function writeResponse(response: ServerResponse, turn: MockTurn): Promise<void> {
  const { number, hangs, words, pause, toolCalls } = turn;
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const id = `resp_${number}`;
  const message = { type: 'message', id: `msg_${number}`, role: 'assistant' };
  send('response.created', { response: { id } });
  if (words.length > 0) {
    send('response.output_item.added', { item: { ...message, content: [] } });
    for (const delta of words) {
      send('response.output_text.delta', { delta });
      if (hangs) return;
      if (pause > 0) await delay(pause);
    }
    const content = [{ type: 'output_text', text: words.join('') }];
    send('response.output_item.done', { item: { ...message, content } });
  }
  for (const [i, call] of toolCalls.entries()) {
    const ids = { id: `fc_${number}_${i}`, call_id: `call_${number}_${i}` };
    send('response.output_item.done', { item: { type: 'function_call', ...ids, ...call } });
  }
  send('response.completed', { response: { id, usage: usage() } });
  response.end();
}

function usage(): object {
  const details = { input_tokens_details: null, output_tokens_details: null };
  return { input_tokens: 5, output_tokens: 5, total_tokens: 10, ...details };
}
