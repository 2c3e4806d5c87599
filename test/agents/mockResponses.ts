import type { ServerResponse } from 'node:http';
import type { MockTurn } from './mockTurn';
import { sentence } from './mockTurn';

/** Streams a response in the format of OpenAI's "Create a model response". */
export function writeResponse(response: ServerResponse, { number, hangs, toolCall }: MockTurn): void {
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const id = `resp_${number}`;
  const message = { type: 'message', id: `msg_${number}`, role: 'assistant' };
  send('response.created', { response: { id } });
  if (hangs || !toolCall) send('response.output_item.added', { item: { ...message, content: [] } });
  if (hangs) {
    send('response.output_text.delta', { delta: 'thinking ' });
    return;
  }
  if (toolCall) {
    const item = { type: 'function_call', id: `fc_${number}`, call_id: `call_${number}`, ...toolCall };
    send('response.output_item.done', { item });
  } else {
    for (const delta of sentence) send('response.output_text.delta', { delta });
    const content = [{ type: 'output_text', text: sentence.join('') }];
    send('response.output_item.done', { item: { ...message, content } });
  }
  send('response.completed', { response: { id, usage: usage() } });
  response.end();
}

function usage(): object {
  const details = { input_tokens_details: null, output_tokens_details: null };
  return { input_tokens: 5, output_tokens: 5, total_tokens: 10, ...details };
}
