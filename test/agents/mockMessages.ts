import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { MockTurn } from './mockTurn';

/** Streams a response in the format of Anthropic's "Create a Message". */
export async function writeMessage(response: ServerResponse, turn: MockTurn): Promise<void> {
  const { number, hangs, words, pause, toolCalls } = turn;
  const send = (type: string, fields: object = {}): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const id = `msg_${number}`;
  const usage = { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 };
  const message = { id, type: 'message', role: 'assistant', model: 'mock', content: [], stop_reason: null, usage };
  send('message_start', { message: { ...message, stop_sequence: null } });
  let index = 0;
  if (words.length > 0) {
    send('content_block_start', { index, content_block: { type: 'text', text: '' } });
    for (const text of words) {
      send('content_block_delta', { index, delta: { type: 'text_delta', text } });
      if (hangs) return;
      if (pause > 0) await delay(pause);
    }
    send('content_block_stop', { index: index++ });
  }
  for (const { name, arguments: args } of toolCalls) {
    const block = { type: 'tool_use', id: `toolu_${number}_${index}`, name, input: {} };
    send('content_block_start', { index, content_block: block });
    send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: args } });
    send('content_block_stop', { index: index++ });
  }
  const reason = toolCalls.length > 0 ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage });
  send('message_stop');
  response.end();
}

/** The same as one JSON object, for requests without `stream`. */
export function wholeMessage({ number, words }: MockTurn): object {
  const content = [{ type: 'text', text: words.join('') || 'ok' }];
  const usage = { input_tokens: 5, output_tokens: 5 };
  const end = { stop_reason: 'end_turn', stop_sequence: null, usage };
  return { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'mock', content, ...end };
}
