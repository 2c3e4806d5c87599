// @ts-check
// Sends a request and a response of 2 MiB each, with the ID at the end of the line, like the official MCP server.
import { FakeAgent, noAnswer } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
const text = 'x'.repeat(2 * 1024 * 1024);
agent.on('session/prompt', async ({ sessionId }, id) => {
  const toolCall = { toolCallId: 'call-1', title: 'Write a file', rawInput: { text } };
  const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];
  const answer = await agent.request('session/request_permission', { toolCall, options, sessionId });
  agent.say(JSON.stringify(answer.result));
  agent.write(
    `${JSON.stringify({ jsonrpc: '2.0', result: { _meta: { text, id: 0 }, stopReason: 'end_turn' }, id })}\n`,
  );
  return noAnswer;
});
