// @ts-check
// Sends responses that match no request: at initialize with unused IDs, null, and no ID; at session/new with the ID as a string before the right one.
// Answers a prompt with both a result and an error, session/close with neither.
import { FakeAgent, noAnswer } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', () => {
  agent.respond(4711, {});
  agent.respond('never-used', {});
  agent.send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
  agent.send({ jsonrpc: '2.0', result: {} });
  agent.respond({ an: 'object' }, {});
  return { protocolVersion: 1 };
});
agent.on('session/new', (_params, id) => {
  agent.respond(String(id), { sessionId: 'not-this-one' });
  return { sessionId: `fake-${++agent.sessions}` };
});
agent.on('session/prompt', (_params, id) => {
  agent.send({
    jsonrpc: '2.0',
    id,
    result: { stopReason: 'end_turn' },
    error: { code: -32603, message: 'and an error' },
  });
  return noAnswer;
});
agent.on('session/close', (_params, id) => {
  agent.send({ jsonrpc: '2.0', id });
  return noAnswer;
});
